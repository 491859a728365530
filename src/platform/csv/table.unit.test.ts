import assert from 'node:assert/strict'
import { test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { InvalidInput } from '#src/platform/errors.ts'
import { DELIMITERS } from './split-record.ts'
import { fileOf, isColumnName, MemoryFiles, open, rowsOf } from './table.fixture.ts'
import { openTable } from './table.ts'

const ABOVE = 'The row is above the column names.'
const FOOTER = 'The row looks like a footer of the file.'
const TOTAL = 'The row looks like a total.'
const REPEATED = 'The row repeats the column names.'
const RULE = 'The row is a line between rows.'

for (const line of ['sep=;', 'sep=;;;', '"sep=;"', 'SEP=;', '\ufeffsep=;'])
  test(`the line ${JSON.stringify(line)} names the delimiter, and counts as a row`, async () => {
    const table = await open(`${line}\r\nName;City\r\nFjell, Ost;Bodø\r\n`)
    assert.equal(table.delimiter, ';')
    assert.equal(table.headerRow, 2)
    assert.deepEqual(table.header, ['Name', 'City'])
    assert.deepEqual(await rowsOf(table), [[3, ['Fjell, Ost', 'Bodø']]])
    assert.deepEqual(
      table.firstRows.map(({ row }) => row),
      [2, 3],
    )
  })

test('a line may name any delimiter', async () => {
  const table = await open('sep=^\nName^City\na,b^c;d\n')
  assert.equal(table.delimiter, null)
  assert.deepEqual(await rowsOf(table), [[3, ['a,b', 'c;d']]])
})

for (const delimiter of DELIMITERS)
  test(`the delimiter ${JSON.stringify(delimiter)} is recognized by rows of the same length`, async () => {
    const others = DELIMITERS.filter((other) => other !== delimiter).join(' ')
    const lines = [
      ['Nimi', `"Riik ${others}"`, 'Asutatud'],
      [`"Kask${others}"`, 'Eesti', '1.5'],
      ['Saar', 'Läti', '2.5'],
    ]
    const table = await open(lines.map((cells) => cells.join(delimiter)).join('\n'))
    // Other delimiters in the cells of some rows do not matter.
    assert.equal(table.delimiter, delimiter)
    assert.equal(table.header.length, 3)
    assert.equal((await rowsOf(table)).length, 2)
  })

test('decimal commas do not outweigh the semicolons of all rows', async () => {
  const table = await open('Name;Revenue\nA;1,5\nB;2,25\nC;3,0\n')
  assert.equal(table.delimiter, ';')
})

test('a list of names with commas has one column', async () => {
  const table = await open('Firm\nNorth, Inc.\nSouth, Inc.\nWest LLC\n')
  assert.equal(table.delimiter, null)
  assert.deepEqual(await rowsOf(table), [
    [2, ['North, Inc.']],
    [3, ['South, Inc.']],
    [4, ['West LLC']],
  ])
})

test('a list of names without a column name loses no name', async () => {
  const table = await open('Fjell\nBre, Inc.\nSkog\n')
  assert.deepEqual([table.headerRow, table.header], [0, ['Column 1']])
  assert.deepEqual((await rowsOf(table)).length, 3)
})

test('the person chooses another delimiter', async () => {
  const table = await open('Name|City;x\na|b;c\n', { delimiter: ';' })
  assert.deepEqual(table.header, ['Name|City', 'x'])
})

test('lines above the header are left out, and the header is the row with the known names', async () => {
  for (const padding of ['', ',,']) {
    const table = await open(
      `My list${padding}\nExported, by me${padding}\n\nName,Website,City\nFjell,fjell.example,Bodø\n`,
    )
    assert.equal(table.headerRow, 4)
    assert.deepEqual(await rowsOf(table), [
      [1, ABOVE],
      [2, ABOVE],
      [5, ['Fjell', 'fjell.example', 'Bodø']],
    ])
  }
})

test('the first row as wide as the table is the header if no name is known', async () => {
  const table = await open('Aruanne\nNimi;Asukoht;Töötajaid\nKask;Tartu;12\nSaar;Pärnu;7\n')
  assert.equal(table.headerRow, 2)
  assert.deepEqual(table.header, ['Nimi', 'Asukoht', 'Töötajaid'])
})

test('a value that happens to be a column name does not make its row the header', async () => {
  const table = await open('Nimi,Asukoht,Ala\nKask,Tartu,Tags\nSaar,Pärnu,Pangandus\n')
  assert.equal(table.headerRow, 1)
})

for (const [kind, first, second] of [
  ['web addresses', 'fjell.example', 'bre.example'],
  ['email addresses', 'post@fjell.example', 'post@bre.example'],
  ['numbers', '1,200', '35'],
  ['dates', '2026-11-27', '2025-01-03'],
  ['countries', 'Norway', 'Sverige'],
  ['a value that comes again', 'Bodø', 'Bodø'],
] as const)
  test(`a first row with values such as those below it is no header: ${kind}`, async () => {
    const table = await open(`Fjell\t${first}\nBre\t${second}\nSkog\t${first}\n`)
    assert.equal(table.headerRow, 0)
    assert.deepEqual(table.header, ['Column 1', 'Column 2'])
    assert.equal((await rowsOf(table)).length, 3)
  })

test('the person chooses the header row, or that there is none', async () => {
  const text = `Name,City\nFjell,Bodø\n${'x,y\n'.repeat(200)}Firm,Country\nBre,Norway\n`
  const later = await open(text, { headerRow: 203 })
  assert.deepEqual(later.header, ['Firm', 'Country'])
  const rows = await rowsOf(later)
  assert.deepEqual(
    [rows[0], rows.at(-1)],
    [
      [1, ABOVE],
      [204, ['Bre', 'Norway']],
    ],
  )
  const none = await open(text, { headerRow: 0 })
  assert.deepEqual((await rowsOf(none))[0], [1, ['Name', 'City']])
  await assert.rejects(open(text, { headerRow: 900 }), /header_row is 900, but the file has no such row/)
  await assert.rejects(open('a,b\n\nc,d\n', { headerRow: 2 }), /or the row is blank/)
})

for (const footer of [
  '© Example 2026',
  'Copyright 2019-2026 Example Ltd',
  'Copyright (c) Example',
  'Example Ltd. All rights reserved.',
  'Generated by: A. Sample',
  'Exported on 27-Nov-2026',
  'Exportiert am: 27.11.2026',
  'Généré le 27/11/2026 à 09:14',
  'Source: Example Data',
  'Źródło: dane własne',
  'Page 1 of 3',
  'Seite 2 von 2',
  'Showing 1–50 of 120',
  '120 records',
  'Confidential',
  'Strictly private and confidential.',
  'Total companies: 12',
  'Do not redistribute.',
  'Report generated 2026-11-27',
  'Сформировано 27.11.2026',
])
  test(`a footer is left out, padded or not: ${footer}`, async () => {
    for (const padding of ['', ',,'])
      for (const gap of ['', '\n', ',,\n']) {
        const text = `Name,City,Country\nFjell,Bodø,Norway\nBre,,\n${gap}${footer}${padding}\n`
        const rows = await rowsOf(await open(text))
        assert.deepEqual(rows.slice(0, 2), [
          [2, ['Fjell', 'Bodø', 'Norway']],
          [3, ['Bre', '', '']],
        ])
        assert.deepEqual(
          rows.slice(2).map(([, reason]) => reason),
          [FOOTER],
        )
      }
  })

test('all rows from the first line of a footer on are left out', async () => {
  const rows = await rowsOf(
    await open('Name,City,Country\nFjell,Bodø,Norway\n\nSource: Example\nExample Street 1\n"Oslo, Norway"\n'),
  )
  assert.deepEqual(rows.slice(1), [
    [4, FOOTER],
    [5, FOOTER],
    [6, FOOTER],
  ])
})

test('a disclaimer below a blank row is left out', async () => {
  const text =
    'Name,City,Country\nFjell,Bodø,Norway\n\nThis list is for our own use and may have errors that we do not know.,,\n'
  assert.deepEqual((await rowsOf(await open(text))).at(-1), [4, FOOTER])
})

test('names alone stay, wherever they are', async () => {
  const names = [
    'Copyright Agents',
    'Source Fund',
    'Total Kitchens',
    'Page',
    'Created by Humans',
    'Stand',
    'Sum Up',
  ]
  const text = `Name,City,Country\n${names.map((name) => `${name},,\n`).join('')}`
  assert.deepEqual(
    (await rowsOf(await open(text))).map(([, cells]) => cells[0]),
    names,
  )
})

test('in a list of names, only the last lines are a footer', async () => {
  const rows = await rowsOf(await open('Name\nSource: x\nFjell\nBre\n\nPage 1 of 1\n'))
  assert.deepEqual(rows, [
    [2, ['Source: x']],
    [3, ['Fjell']],
    [4, ['Bre']],
    [6, FOOTER],
  ])
})

test('a footer in the middle of the table stays a row', async () => {
  const rows = await rowsOf(await open('Name,City\nSource: x,\nFjell,Bodø\nBre,Oslo\n'))
  assert.deepEqual(rows[0], [2, ['Source: x', '']])
})

test('totals at the end are left out', async () => {
  for (const total of [
    'Total,,12',
    'Grand total,,"1,200"',
    'Summe:,,3,5'.replace('3,5', '"3,5"'),
    'Итого,,12',
    'Sum,,€5m',
  ]) {
    const rows = await rowsOf(await open(`Name,City,Revenue\nTotal,Paris,7\nFjell,Bodø,5\n${total}\n`))
    assert.deepEqual(rows.map(([, result]) => result).slice(1), [['Fjell', 'Bodø', '5'], TOTAL])
  }
})

test('repeated headers, the footers of pages above them, and rules are left out', async () => {
  const rows = await rowsOf(
    await open('Name,City\n----,----\nFjell,Bodø\nPage 1 of 2,\n\nName , City\nBre,Oslo\n======,\nSkog,-\n'),
  )
  assert.deepEqual(rows, [
    [2, RULE],
    [3, ['Fjell', 'Bodø']],
    [4, FOOTER],
    [6, REPEATED],
    [7, ['Bre', 'Oslo']],
    [8, RULE],
    [9, ['Skog', '-']],
  ])
})

test('a long list of names is read with little in memory', async () => {
  const names = Array.from({ length: 1000 }, (_value, index) => `Firm ${index}`)
  const rows = await rowsOf(await open(`Name\n${names.join('\n')}\n`))
  assert.deepEqual(
    rows.map(([, cells]) => cells[0]),
    names,
  )
})

test('a line break without quotes is explained with the row whose text ends early', async () => {
  const rows = await rowsOf(
    await open('Name\tCity | Area\tTags\nFjell\tBodø\tmeasures heights\nand depths\nBre\tOslo\tice\n'),
  )
  assert.deepEqual(rows, [
    [2, ['Fjell', 'Bodø', 'measures heights']],
    [
      3,
      'The row has 1 cell; the header has 3. Row 2 (Fjell) probably contains a line break without quotes, so its text ends early.',
    ],
    [4, ['Bre', 'Oslo', 'ice']],
  ])
})

test('a line break in a middle cell is explained in both rows', async () => {
  const rows = await rowsOf(
    await open('Name,Tags,City,Country\nFjell,one\ntwo,Bodø,Norway\nBre,ice,Oslo,Norway\n'),
  )
  assert.deepEqual(rows.slice(0, 2), [
    [
      2,
      'The row has 2 cells; the header has 4. It probably contains a line break without quotes, and continues in row 3.',
    ],
    [
      3,
      'The row has 3 cells; the header has 4. Row 2 (Fjell) probably contains a line break without quotes, so its text ends early.',
    ],
  ])
})

test('a row with a cell too few is an error without a guess', async () => {
  const rows = await rowsOf(await open('Name,Founded,City\nFjell,2001,Bodø\nBre,Oslo\nSkog,2003,Tromsø\n'))
  assert.deepEqual(rows[1], [3, 'The row has 2 cells; the header has 3.'])
})

test('backslashes before quotes are recognized in the whole file', async () => {
  const filler = 'x,y\n'.repeat(100_000)
  const table = await open(`Name,Tags\n${filler}"The \\"Peak\\", Inc.","a"\n`)
  assert.deepEqual((await rowsOf(table)).at(-1), [100_002, ['The "Peak", Inc.', 'a']])
})

test('a path that ends with a backslash does not change how quotes are read', async () => {
  const table = await open('Name,Tags\n"Fjell","C:\\data\\"\n"Bre","x"\n')
  assert.deepEqual(await rowsOf(table), [
    [2, ['Fjell', 'C:\\data\\']],
    [3, ['Bre', 'x']],
  ])
})

test('a header in apostrophes makes them quotes', async () => {
  const table = await open("'Name';'City'\n'Fjell; Ost';'Bodø'\n'O''Malley';'Cork'\n")
  assert.deepEqual(await rowsOf(table), [
    [2, ['Fjell; Ost', 'Bodø']],
    [3, ["O'Malley", 'Cork']],
  ])
})

test('gzip is read like the file in it, and its temporary file is closed', async () => {
  const temporary = new MemoryFiles()
  const compressed = gzipSync('Name,City\nFjell,Bodø\n')
  const table = await openTable(fileOf(compressed, 5), { isColumnName, temporary })
  assert.deepEqual(await rowsOf(table), [[2, ['Fjell', 'Bodø']]])
  await table.close()
  assert.equal(temporary.open, 0)
})

test('gzip that is damaged, grows beyond measure, or is compressed twice is refused', async () => {
  const temporary = new MemoryFiles()
  const options = { isColumnName, temporary }
  const whole = gzipSync(`Name,City\n${'Fjell,Bodø\n'.repeat(1000)}`)
  await assert.rejects(openTable(fileOf(whole.subarray(0, -12)), options), /damaged or incomplete/)
  const bomb = gzipSync(Buffer.alloc(80 * 1024 * 1024))
  await assert.rejects(openTable(fileOf(bomb, 65_536), options), /larger than 64 MB when it is decompressed/)
  await assert.rejects(openTable(fileOf(gzipSync(whole)), options), /compressed twice/)
  assert.equal(temporary.open, 0)
})

test('each reading gives the same records', async () => {
  const table = await open('x\nName,City\nCafÃ© Nord,Bodø\n"oops\n© 2026\n')
  const first = await rowsOf(table)
  assert.deepEqual(await rowsOf(table), first)
  assert.deepEqual(first[1], [3, ['Café Nord', 'Bodø']])
})

test('a signal ends the reading', async () => {
  const controller = new AbortController()
  const table = await open('Name,City\nFjell,Bodø\n', { signal: controller.signal })
  controller.abort(new Error('stopped'))
  await assert.rejects(rowsOf(table), /stopped/)
})

test('a file without rows is refused', async () => {
  for (const content of ['', ' \r\n\n', '\ufeff', '\n,,\n']) await assert.rejects(open(content), InvalidInput)
})
