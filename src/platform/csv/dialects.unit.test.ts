import assert from 'node:assert/strict'
import { test } from 'node:test'
import { stringify } from 'csv-stringify/sync'
import fc from 'fast-check'
import iconv from 'iconv-lite'
import { open, rowsOf } from './table.fixture.ts'

const HEADER = ['Name', 'Website', 'City', 'Tags']

const name = fc
  .tuple(
    fc.constantFrom(
      'Fjell',
      'Bre & Søn',
      'Müller',
      '"Peak" Labs',
      'Ångström',
      "O'Malley",
      'A|B',
      'x; y',
      '3D\tPrint',
    ),
    fc.constantFrom('', ' AS', ', Inc.', ' – Nord', ' 2', '; Ost', '.'),
  )
  .map(([first, second]) => first + second)
const cell = fc.oneof(
  fc.constantFrom(
    '',
    '-',
    'a, b',
    '1,5',
    '1.5',
    'two\nlines',
    '"',
    'a;b;c',
    'x|y',
    '5" disk',
    ' padded ',
    '\\',
  ),
  fc.string({ unit: fc.constantFrom('a', ' ', ',', ';', '|', 'é', '"', "'"), maxLength: 8 }),
)
const website = fc.constantFrom('', 'fjell.example', 'https://bre.example/a?b=c,d')
const rows = fc.array(fc.tuple(name, website, cell, cell), { minLength: 1, maxLength: 30 })

const dialect = fc.record({
  delimiter: fc.constantFrom(',', ';', '\t', '|'),
  newline: fc.constantFrom('\n', '\r\n'),
  quoted: fc.boolean(),
  encoding: fc.constantFrom('utf-8', 'utf-16le', 'utf-16be', 'windows-1252'),
  bom: fc.boolean(),
  named: fc.boolean(),
  above: fc.constantFrom([], ['My list'], ['My list', 'Exported by A. Sample', '']),
  below: fc.constantFrom([], ['', '© 2026 Example'], ['Source: Example']),
})

test('the rows of a table are read, however a program writes it', async () => {
  await fc.assert(
    fc.asyncProperty(rows, dialect, async (body, written) => {
      const { delimiter, newline, quoted, encoding, bom, named, above, below } = written
      const table = stringify([HEADER, ...body], {
        delimiter,
        quoted,
        record_delimiter: newline,
        quoted_match: /[\r\n]|^\s|\s$/,
      })
      const lines = [...(named ? [`sep=${delimiter}`] : []), ...above, table + below.join(newline)]
      const bytes = iconv.encode(lines.join(newline), encoding, {
        addBOM: bom && encoding !== 'windows-1252',
      })
      const opened = await open(bytes, encoding === 'windows-1252' ? { encoding } : {})
      assert.deepEqual(opened.header, HEADER)
      const read = (await rowsOf(opened)).filter(([, cells]) => typeof cells !== 'string')
      assert.deepEqual(
        read.map(([, cells]) => cells),
        body,
      )
    }),
    { seed: 38, numRuns: 400 },
  )
})
