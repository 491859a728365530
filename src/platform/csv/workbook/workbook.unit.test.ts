import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type BookType, type CellObject, utils, type WorkBook, type WorkSheet, write } from '@e965/xlsx'
import { InvalidInput } from '#src/platform/errors.ts'
import { fileOf, isColumnName, MemoryFiles, open, rowsOf } from '../table.fixture.ts'
import { openTable } from '../table.ts'

function bookOf(sheets: Record<string, unknown[][] | WorkSheet>, hidden: string[] = []): WorkBook {
  const book = utils.book_new()
  for (const [name, content] of Object.entries(sheets))
    utils.book_append_sheet(book, Array.isArray(content) ? utils.aoa_to_sheet(content) : content, name)
  book.Workbook = {
    Sheets: Object.keys(sheets).map((name) => ({
      Hidden: hidden.includes(name) ? (1 as const) : (0 as const),
    })),
  }
  return book
}

const bytesOf = (book: WorkBook, bookType: BookType = 'xlsx'): Buffer =>
  write(book, { type: 'buffer', bookType })

const FIRMS = [
  ['Name', 'Website', 'Founded'],
  ['Fjell, "Ost"', 'fjell.example', 2019],
  ['Bre\nAS', 'bre.example', 2021],
]
const FIRM_ROWS = [
  [2, ['Fjell, "Ost"', 'fjell.example', '2019']],
  [3, ['Bre\nAS', 'bre.example', '2021']],
]

for (const bookType of ['xlsx', 'xlsb', 'biff8', 'biff5', 'ods', 'xlml'] as const)
  test(`a workbook in the format ${bookType} is read`, async () => {
    const temporary = new MemoryFiles()
    const bytes = bytesOf(bookOf({ Firms: FIRMS }), bookType)
    const table = await openTable(fileOf(bytes), { isColumnName, temporary })
    assert.deepEqual(
      [table.kind, table.encoding, table.delimiter, table.sheet, table.sheets, table.hasPlainNumbers],
      ['workbook', null, null, 'Firms', ['Firms'], true],
    )
    assert.deepEqual(table.header, FIRMS[0])
    assert.deepEqual(await rowsOf(table), FIRM_ROWS)
    assert.deepEqual(await rowsOf(table), FIRM_ROWS)
    await table.close()
    assert.equal(temporary.open, 0)
  })

/** The text that a cell is read as. */
async function textOf(...cells: CellObject[]): Promise<string[]> {
  const sheet = utils.aoa_to_sheet([['Name', ...cells.map((_cell, index) => `Column ${index}`)], ['Fjell']])
  cells.forEach((cell, index) => {
    sheet[utils.encode_cell({ r: 1, c: index + 1 })] = cell
  })
  sheet['!ref'] = utils.encode_range({ s: { r: 0, c: 0 }, e: { r: 1, c: cells.length } })
  const [row] = await rowsOf(await open(bytesOf(bookOf({ Sheet: sheet }))))
  const [, texts] = row ?? []
  assert.ok(Array.isArray(texts))
  return texts.slice(1)
}

const number = (v: number, z?: string): CellObject => ({ t: 'n', v, ...(z === undefined ? {} : { z }) })

test('numbers are plain, with the digits that a spreadsheet shows', async () => {
  assert.deepEqual(
    await textOf(
      number(214.75, '#,##0.00'),
      number(1234567.5, '#,##0.0'),
      number(0.1 + 0.2),
      number(-3),
      number(12345678901234),
    ),
    ['214.75', '1234567.5', '0.3', '-3', '12345678901234'],
  )
})

test('percentages, codes, and currencies keep what their format shows', async () => {
  assert.deepEqual(
    await textOf(
      number(0.125, '0.0%'),
      number(1067, '00000'),
      number(1500, '"$"#,##0'),
      number(1500, '[$€-407] #,##0.00'),
      number(1500, '#,##0 [$CHF]'),
      number(2.5, '#,##0.0 "USD"'),
      number(7, '[$-409]#,##0'),
    ),
    ['12.5%', '01067', '$1500', '€1500', 'CHF 1500', 'USD 2.5', '7'],
  )
})

test('dates are ISO dates of the sheet, in any time zone', async () => {
  const cells = [
    number(46353, 'yyyy-mm-dd'),
    number(46353, 'dd/mm/yy'),
    number(46353.5, 'd mmm yyyy hh:mm'),
    number(46353.99999, 'm/d/yy h:mm'),
    number(0.4, 'hh:mm'),
    number(1.5, '[h]:mm'),
  ]
  const expected = [
    '2026-11-27',
    '2026-11-27',
    '2026-11-27T12:00:00',
    '2026-11-27T23:59:59',
    '09:36:00',
    '36:00:00',
  ]
  const zone = process.env.TZ
  try {
    for (const other of ['America/Los_Angeles', 'Pacific/Auckland']) {
      process.env.TZ = other
      assert.deepEqual(await textOf(...cells), expected)
    }
  } finally {
    if (zone === undefined) delete process.env.TZ
    else process.env.TZ = zone
  }
})

test('dates count from 1904 in workbooks with that setting', async () => {
  const book = bookOf({
    Sheet: [
      ['Name', 'Founded'],
      ['Fjell', number(44891, 'yyyy-mm-dd')],
    ],
  })
  book.Workbook = { ...book.Workbook, WBProps: { date1904: true } }
  assert.deepEqual(await rowsOf(await open(bytesOf(book))), [[2, ['Fjell', '2026-11-27']]])
})

test('booleans, errors, formulas and links are their text', async () => {
  assert.deepEqual(
    await textOf(
      { t: 'b', v: true },
      { t: 'e', v: 42, w: '#N/A' },
      { t: 'n', v: 6, f: '2*3' },
      { t: 's', v: 'Site', l: { Target: 'https://fjell.example' } },
    ),
    ['true', '#N/A', '6', 'Site'],
  )
})

test('formulas without a value are counted', async () => {
  const sheet = utils.aoa_to_sheet([
    ['Name', 'Founded', 'City'],
    ['Fjell', null, 'Bodø'],
  ])
  sheet.B2 = { t: 'n', f: 'YEAR(A1)' }
  const table = await open(bytesOf(bookOf({ Sheet: sheet })))
  assert.match(table.warnings.join(), /1 cell has a formula without a value/)
})

test('the value of merged cells is in the first', async () => {
  const sheet = utils.aoa_to_sheet([['Name', 'City'], ['Fjell', 'Bodø'], ['Bre']])
  sheet['!merges'] = [utils.decode_range('B2:B3')]
  assert.deepEqual(await rowsOf(await open(bytesOf(bookOf({ Sheet: sheet })))), [
    [2, ['Fjell', 'Bodø']],
    [3, ['Bre', '']],
  ])
})

test('rows count as the spreadsheet shows them, and columns from the first that is used', async () => {
  const rows = [['A report'], [], ['Name', 'City'], [], ['Fjell', 'Bodø']]
  const sheet = utils.sheet_add_aoa(utils.aoa_to_sheet([]), rows, { origin: 'C3' })
  const table = await open(bytesOf(bookOf({ Sheet: sheet })))
  assert.equal(table.headerRow, 5)
  assert.deepEqual(table.header, ['Name', 'City'])
  assert.deepEqual(await rowsOf(table), [
    [3, 'The row is above the column names.'],
    [7, ['Fjell', 'Bodø']],
  ])
})

test('the first sheet with rows that is not hidden is read, or the chosen one', async () => {
  const book = bookOf(
    { Empty: [], Secret: [['Name'], ['Hidden']], Firms: FIRMS, 'More firms': [['Name'], ['Skog']] },
    ['Secret'],
  )
  const table = await open(bytesOf(book))
  assert.deepEqual([table.sheet, table.sheets], ['Firms', ['Empty', 'Firms', 'More firms']])
  const chosen = await open(bytesOf(book), { sheet: 'more firms' })
  assert.deepEqual([chosen.sheet, await rowsOf(chosen)], ['More firms', [[2, ['Skog']]]])
  const secret = await open(bytesOf(book), { sheet: 'Secret' })
  assert.deepEqual(
    [secret.sheets, await rowsOf(secret)],
    [['Empty', 'Firms', 'More firms', 'Secret'], [[2, ['Hidden']]]],
  )
  await assert.rejects(open(bytesOf(book), { sheet: 'Companies' }), (error: Error) => {
    assert.ok(error instanceof InvalidInput)
    assert.match(error.message, /no sheet of this name\. Its sheets are "Empty", "Firms", "More firms"\./)
    return true
  })
})

test('a workbook without rows is refused', async () => {
  await assert.rejects(open(bytesOf(bookOf({ Empty: [], Blank: [['']] }))), /has no rows/)
  await assert.rejects(open(bytesOf(bookOf({ Empty: [] })), { sheet: 'Empty' }), /has no rows/)
})

test('a workbook that is damaged is refused, and leaves no file', async () => {
  const temporary = new MemoryFiles()
  const bytes = bytesOf(bookOf({ Firms: FIRMS }))
  bytes.fill(0x55, 200, 1500)
  await assert.rejects(openTable(fileOf(bytes), { isColumnName, temporary }), InvalidInput)
  assert.equal(temporary.open, 0)
})

test('a workbook that states a huge size is refused before it is unpacked', async () => {
  const bytes = bytesOf(bookOf({ Firms: FIRMS }))
  const entry = bytes.indexOf('PK\x01\x02', 0, 'latin1')
  bytes.writeUInt32LE(0xf0000000, entry + 24)
  await assert.rejects(open(bytes), /larger than 400 MB when it is unpacked/)
})

test('a workbook that is larger than it states is refused before it is parsed', async () => {
  const temporary = new MemoryFiles()
  const bytes = write(bookOf({ Firms: FIRMS }), { type: 'buffer', bookType: 'xlsx', compression: true })
  for (let at = 0; ; at += 4) {
    at = bytes.indexOf('PK\x01\x02', at, 'latin1')
    if (at < 0) break
    bytes.writeUInt32LE(10, at + 24)
  }
  await assert.rejects(
    openTable(fileOf(bytes), { isColumnName, temporary }),
    /larger than the archive states/,
  )
  assert.equal(temporary.open, 0)
})

test('a workbook of more than 50 MB is refused', async () => {
  const bytes = bytesOf(bookOf({ Firms: FIRMS }))
  const file = { ...fileOf(bytes), size: 51 * 1024 * 1024 }
  await assert.rejects(
    openTable(file, { isColumnName, temporary: new MemoryFiles() }),
    /up to 50 MB\. Save the sheet as CSV/,
  )
})

test('the text of a sheet is repaired as that of a file', async () => {
  const table = await open(
    bytesOf(bookOf({ Firms: [['Name', 'City'], ['MÃ¼ller', 'Bodø'], ['© 2026 Example']] })),
  )
  assert.deepEqual(await rowsOf(table), [
    [2, ['Müller', 'Bodø']],
    [3, 'The row looks like a footer of the file.'],
  ])
})

test('a signal ends the reading of a workbook', async () => {
  const controller = new AbortController()
  const opened = open(bytesOf(bookOf({ Firms: FIRMS })), { signal: controller.signal })
  controller.abort(new Error('stopped'))
  await assert.rejects(opened, /stopped/)
})

test('many rows are read', async () => {
  const rows = Array.from({ length: 20_000 }, (_value, index) => [
    `Firm ${index}`,
    `https://f${index}.example`,
  ])
  const table = await open(bytesOf(bookOf({ Firms: [['Name', 'Website'], ...rows] })))
  const read = await rowsOf(table)
  assert.equal(read.length, 20_000)
  assert.deepEqual(read.at(-1), [20_001, rows.at(-1)])
})
