import assert from 'node:assert/strict'
import { test } from 'node:test'
import { open, rowsOf } from './table.fixture.ts'

const numbered = (write: (index: number) => string, count = 60): string[] =>
  Array.from({ length: count }, (_value, index) => write(index))

const CELLS: Record<string, (index: number) => string> = {
  'a comma': (index) => `Firm ${index}, Inc.`,
  'two commas': (index) => `Firm ${index}, Sons, Ltd.`,
  'a semicolon': (index) => `Firm ${index}; Ost`,
  'a bar': (index) => `Firm ${index} | Ost`,
  'a comma in most cells': (index) => (index % 4 === 0 ? `Firm ${index}` : `Firm ${index},Inc.`),
  'several delimiters': (index) => `Firm ${index}${[', Inc.', '; Ost', ' | Nord'][index % 3]}`,
}
const STARTS: Record<string, string[]> = {
  'the column name': ['name'],
  'the column name in quotes': ['"Name"'],
  'a blank line above the column name': ['', 'Name'],
  'lines above the column name': ['My list', 'Exported by A. Sample', '', 'Name'],
  'a line with a comma above the column name': ['Exported, by A. Sample', 'Name'],
}

for (const [cells, write] of Object.entries(CELLS))
  for (const [start, lines] of Object.entries(STARTS))
    test(`a list has one column: ${cells} in the cells, ${start}`, async () => {
      for (const newline of ['\n', '\r\n'])
        for (const count of [2, 60]) {
          const names = numbered(write, count)
          const table = await open([...lines, ...names, ''].join(newline))
          assert.equal(table.delimiter, null)
          assert.equal(table.header.length, 1)
          assert.match(table.header[0] ?? '', /^name$/i)
          const rows = (await rowsOf(table)).filter(([, cells]) => Array.isArray(cells))
          assert.deepEqual(
            rows,
            names.map((name, index) => [lines.length + index + 1, [name]]),
          )
        }
    })

for (const delimiter of [',', ';', '\t', '|'])
  test(`a title that is a column name is no list: ${JSON.stringify(delimiter)}`, async () => {
    for (const header of [
      ['Name', 'City'],
      ['Nimi', 'Asukoht'],
      ['Nimi', 'Website', 'Asukoht'],
    ]) {
      const rows = numbered(
        (index) => header.map((_name, column) => `${column}x${index}y`).join(delimiter),
        9,
      )
      const table = await open(['Firm', header.join(delimiter), ...rows].join('\n'))
      assert.equal(table.delimiter, delimiter)
      assert.deepEqual([table.headerRow, table.header], [2, header])
    }
  })

test('column names above names with commas make a table', async () => {
  const table = await open(`Firm\nName,City\n${numbered((index) => `Firm ${index}, Bodø`).join('\n')}\n`)
  assert.deepEqual([table.delimiter, table.header], [',', ['Name', 'City']])
})

test('a person chooses the delimiter of a list', async () => {
  const table = await open('Name\nFjell, Inc.\nBre, Inc.\n', { delimiter: ',', headerRow: 0 })
  assert.equal(table.header.length, 2)
})
