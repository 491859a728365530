import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parse } from 'csv-parse/sync'
import { stringify } from 'csv-stringify/sync'
import fc from 'fast-check'
import { yieldToEventLoop } from '#src/platform/event-loop.ts'
import { slow } from '#src/testing/slow.ts'
import { BLOCK_BYTES, blocksOf } from './blocks.ts'
import { detectDialect, firstRows } from './dialect.ts'
import { encodingNamed } from './encoding/encodings.ts'
import { CsvReader, type CsvRecord } from './read.ts'
import type { Delimiter, Dialect } from './split-record.ts'
import { TextSource } from './text-source.ts'

type CsvOptions = ConstructorParameters<typeof CsvReader>[0]
type Read = [row: number, cellsOrError: string[] | string]

const shown = (record: CsvRecord): Read => [record.row, 'message' in record ? record.message : record.cells]

const COMMAS: Dialect = { delimiter: ',', quote: '"', hasBackslashes: false, newline: '\n' }

function* slices<T extends string | Buffer>(file: T, size: number): Generator<T> {
  for (let at = 0; at < file.length; at += size) yield file.slice(at, at + size) as T
}

/** Reads the file, and checks that it gives the same records however it is cut. */
async function read(file: string | Buffer, blockSize = 7, delimiter: Delimiter = ','): Promise<Read[]> {
  const bytes = Buffer.from(file)
  const { records, options, decoder } = await readWhole(() => slices(bytes, blockSize), delimiter)
  const text = bytes.toString('latin1')
  if (!text.startsWith('\xef\xbb')) assert.deepEqual(readBlocks(text, blockSize, options).records, records)
  await decoder.decodeRecords(records)
  return records.map(shown)
}

/** Reads a file whose first row that is not blank is the header. */
async function readWhole(chunks: () => Iterable<Buffer>, delimiter: Delimiter = ',') {
  async function* content() {
    yield* chunks()
  }
  const source = new TextSource({ size: 0, read: content }, encodingNamed('utf-8'), false)
  const start = await source.start()
  const detectable = { delimiter, escapedQuotes: { inside: 0, atEnd: 0 }, isColumnName: () => false }
  const { dialect } = await detectDialect(start, detectable)
  const [header] = firstRows(start, dialect, 1)
  const options = { dialect, headerRow: header?.row ?? 0, width: header?.cells.length ?? 0 }
  const reader = new CsvReader(options)
  const records: CsvRecord[] = []
  for await (const block of source.blocks())
    for (const batch of reader.read(block, false)) {
      for (const record of batch) records.push(record)
      await yieldToEventLoop()
    }
  for (const batch of reader.read('', true)) for (const record of batch) records.push(record)
  return { records, options, decoder: source.cellDecoder() }
}

/** Reads text with one character per byte in blocks of any size. */
function readBlocks(text: string, blockSize: number, options: CsvOptions) {
  const reader = new CsvReader(options)
  const records: CsvRecord[] = []
  for (const block of [...slices(text, blockSize), ''])
    for (const batch of reader.read(block, block === '')) for (const record of batch) records.push(record)
  return { records, scanned: reader.scanned }
}

test('commas, quotes, line breaks in cells and CRLF', async () => {
  assert.deepEqual(await read('a,b\r\n1,"x ""y"", z"\r\n2,"two\nlines"\r\n'), [
    [1, ['a', 'b']],
    [2, ['1', 'x "y", z']],
    [3, ['2', 'two\nlines']],
  ])
})

for (const delimiter of [';', '\t', '|'] as const)
  test(`cells between ${JSON.stringify(delimiter)} may have commas`, async () => {
    const file = `name${delimiter}"a,b,c,d"\nx${delimiter}1,2\n`
    assert.deepEqual(await read(file, 7, delimiter), [
      [1, ['name', 'a,b,c,d']],
      [2, ['x', '1,2']],
    ])
  })

test('a byte order mark is not part of the first name', async () => {
  assert.deepEqual(await read('\ufeffname,city\nÆ,Århus\n'), [
    [1, ['name', 'city']],
    [2, ['Æ', 'Århus']],
  ])
})

test('a cell in Windows-1252 among cells in UTF-8', async () => {
  const file = Buffer.concat([Buffer.from('name,city\nMüller,'), Buffer.from('K\xf6ln \x80\n', 'latin1')])
  assert.deepEqual((await read(file))[1], [2, ['Müller', 'Köln €']])
})

test('a quote that is never closed fails its row only', async () => {
  assert.deepEqual(await read('a,b\n1,"oops\n2,y\n3,z\n'), [
    [1, ['a', 'b']],
    [2, 'A quote that opens in this row is not closed.'],
    [3, ['2', 'y']],
    [4, ['3', 'z']],
  ])
})

test('a quote closed by the quote of a later row fails its row only', async () => {
  const records = await read('a,b,c\n1,"oops,x\n2,"y",z\n3,v,w\n')
  assert.match(records[1]?.[1] as string, /quote .* is not closed/)
  assert.deepEqual(records.slice(2), [
    [3, ['2', 'y', 'z']],
    [4, ['3', 'v', 'w']],
  ])
})

test('a line that a quote joins to the next, with too many cells, fails its row only', async () => {
  const records = await read('a,b\n1,"oops\n2,x","y"\n3,z\n')
  assert.match(records[1]?.[1] as string, /An unclosed quote may have joined lines/)
  assert.deepEqual(records.at(-1), [4, ['3', 'z']])
})

test('a quote used as a letter in the last line, which has no line end', async () => {
  assert.deepEqual(await read('a,b\n12" pipe,x'), [
    [1, ['a', 'b']],
    [2, ['12" pipe', 'x']],
  ])
})

test('quotes used as letters are letters', async () => {
  assert.deepEqual(await read('a,b\n12" pipe,"x"\n"he said "hi" there",y\n'), [
    [1, ['a', 'b']],
    [2, ['12" pipe', 'x']],
    [3, ['"he said "hi" there"', 'y']],
  ])
})

test('too few or too many cells are an error; extra blank cells are not', async () => {
  assert.deepEqual(await read('a,b\n1\n1,2,3\n1,2,,\n'), [
    [1, ['a', 'b']],
    [2, 'The row has 1 cell; the header has 2.'],
    [3, 'The row has 3 cells; the header has 2. A cell that contains the separator needs quotes around it.'],
    [4, ['1', '2']],
  ])
})

test('blank lines count as rows and are skipped', async () => {
  assert.deepEqual(await read('a,b\n\n1,2\n\n\n3,4'), [
    [1, ['a', 'b']],
    [3, ['1', '2']],
    [6, ['3', '4']],
  ])
})

test('a cell of 50 MB is an error, and reading continues after it', async () => {
  function* chunks() {
    yield Buffer.from('a,b\n1,x\n2,')
    for (let n = 0; n < 50; n++) yield Buffer.alloc(1024 * 1024, 'y')
    yield Buffer.from('\n3,z\n')
  }
  const records = (await readWhole(chunks)).records.map(shown)
  assert.deepEqual(records.slice(0, 2), [
    [1, ['a', 'b']],
    [2, ['1', 'x']],
  ])
  assert.match(records[2]?.[1] as string, /longer than 1048576 characters/)
  assert.deepEqual(records[3], [4, ['3', 'z']])
})

test('CR line ends, with a malformed row', async () => {
  assert.deepEqual(await read('name,city\rA,"x" y\rB,z\rC,w\r', 100), [
    [1, ['name', 'city']],
    [2, ['A', '"x" y']],
    [3, ['B', 'z']],
    [4, ['C', 'w']],
  ])
})

const MB = 1024 * 1024

/** Files that a reader which starts over after each malformed row reads again and again. */
const ATTACKS: Record<string, string> = {
  'quotes that never close': 'x,"a\n'.repeat(MB / 5),
  'quotes that join each line with the next': '",x\n'.repeat(MB / 4),
  'quotes used as letters': 'a,b,""x"\n'.repeat(MB / 9),
  'quotes used as letters, and old line ends': 'x"\r'.repeat(MB / 3),
  'an unclosed quote before lines of quotes': `x,"a\n${'"",""\n'.repeat(MB / 6)}`,
  'blank lines': '\n'.repeat(MB),
  'quotes alone': '"'.repeat(MB),
  'one line': 'x'.repeat(MB),
  delimiters: ','.repeat(MB),
  'escaped quotes that never close': 'x,"\\"\n'.repeat(MB / 6),
  'escaped quotes after an unclosed one': `x,"a\n${'x\\"\n'.repeat(MB / 4)}`,
  backslashes: `"${'\\'.repeat(MB)}`,
  'apostrophes that never close': "x,'a\n".repeat(MB / 5),
  'apostrophes alone': "'".repeat(MB),
  'spaces before quotes': `${' '.repeat(100)}"\n`.repeat(MB / 102),
  'spaces behind quotes': `"a"${' '.repeat(100)}b\n`.repeat(MB / 105),
}

const DIALECTS: Dialect[] = [
  COMMAS,
  { ...COMMAS, newline: '\r' },
  { ...COMMAS, hasBackslashes: true },
  { ...COMMAS, quote: "'" },
]

for (const [name, attack] of Object.entries(ATTACKS))
  test(`reading is linear: ${name}`, { skip: slow }, () => {
    for (const dialect of DIALECTS)
      for (const [width, size] of [
        [3, BLOCK_BYTES],
        [2, 1000],
        [0, BLOCK_BYTES],
      ] as const) {
        const options = { dialect, headerRow: 0, width }
        const { scanned } = readBlocks(attack, size, options)
        assert.ok(scanned <= 5 * attack.length, `${scanned} characters scanned of ${attack.length}`)
      }
  })

test('reading a large chunk yields to the event loop', async () => {
  let turns = 0
  let isReading = true
  const count = () => {
    turns += 1
    if (isReading) setImmediate(count)
  }
  setImmediate(count)
  const file = Buffer.from(`a,b,c\n${'x,"a\n'.repeat(200_000)}`)
  const start = performance.now()
  const { records } = await readWhole(() => [file])
  const elapsed = performance.now() - start
  isReading = false
  assert.equal(records.length, 200_001)
  // Far more than 2 ms per turn, because a busy machine may stop the process in between.
  assert.ok(turns >= elapsed / 100, `${turns} turns in ${elapsed} ms`)
})

test('a file that arrives byte by byte is read in blocks', { skip: slow }, async () => {
  const file = Buffer.from(`a,b\n${'x,y\n'.repeat(40_000)}`)
  async function* bytes() {
    yield* slices(file, 1)
  }
  const sizes: number[] = []
  for await (const block of blocksOf(bytes())) sizes.push(block.length)
  assert.deepEqual(sizes, [BLOCK_BYTES, BLOCK_BYTES, file.length - 2 * BLOCK_BYTES])
})

test('quotes behind a backslash are letters where the dialect has them', () => {
  const text = 'a,b\n"say \\"hi\\", then \\\\","x\\""\n"""y""","\\n"\n'
  const options = {
    dialect: { ...COMMAS, hasBackslashes: true },
    headerRow: 1,
    width: 2,
  }
  assert.deepEqual(readBlocks(text, 5, options).records.map(shown), [
    [1, ['a', 'b']],
    [2, ['say "hi", then \\', 'x"']],
    [3, ['"y"', '\\n']],
  ])
})

test('apostrophes quote cells in dialects with that quote, and are letters inside of them', () => {
  const text = "'a','b'\n'x, y','it''s'\n'O'Brien',plain isn't\n'cut,z\n'last','one'"
  const options = {
    dialect: { ...COMMAS, quote: "'" as const },
    headerRow: 1,
    width: 2,
  }
  assert.deepEqual(readBlocks(text, 5, options).records.map(shown), [
    [1, ['a', 'b']],
    [2, ['x, y', "it's"]],
    [3, ["O'Brien", "plain isn't"]],
    [4, ["'cut", 'z']],
    [5, ['last', 'one']],
  ])
})

test('spaces around quotes are not part of the cell', async () => {
  assert.deepEqual(await read('a,b,c\n"x", "y, z" , "two\nlines"\n 1, 2 ,3\n'), [
    [1, ['a', 'b', 'c']],
    [2, ['x', 'y, z', 'two\nlines']],
    [3, [' 1', ' 2 ', '3']],
  ])
})

test('rows above the header may have any number of cells', () => {
  const options = { dialect: COMMAS, headerRow: 3, width: 2 }
  const { records } = readBlocks('"One line\nthree,"cells" here,c\na,b\nx,y,z\n', 5, options)
  assert.deepEqual(records.map(shown), [
    [1, ['"One line']],
    [2, ['three', '"cells" here', 'c']],
    [3, ['a', 'b']],
    [4, 'The row has 3 cells; the header has 2. A cell that contains the separator needs quotes around it.'],
  ])
})

test('an empty file has no records', async () => {
  assert.deepEqual(await read(''), [])
  assert.deepEqual(await read('\n \n'), [])
})

const cell = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 12 }).filter((text) => text.isWellFormed()),
  fc.string({ unit: fc.constantFrom('a', '"', ',', ';', '\n', '\r', ' ', 'é'), maxLength: 8 }),
)

test('valid files are read as csv-parse reads them, however they are cut', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.tuple(cell, cell, cell)),
      fc.boolean(),
      fc.constantFrom('\n', '\r\n'),
      fc.integer({ min: 1, max: 40 }),
      async (body, quoted, record_delimiter, size) => {
        const all = [['a', 'b', 'c'], ...body]
        const file = stringify(all, { quoted, record_delimiter, quoted_match: /[\r\n]/ })
        const expected: string[][] = parse(file, { record_delimiter: ['\r\n', '\n', '\r'] })
        assert.deepEqual(
          (await read(file, size)).map(([, cells]) => cells),
          expected,
        )
      },
    ),
    { seed: 15, numRuns: 300 },
  )
})

test('a malformed line in a valid file fails alone', async () => {
  const plain = fc.string({ unit: fc.constantFrom('a', 'b', ' ', 'é'), minLength: 1, maxLength: 5 })
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.tuple(plain, plain), { minLength: 1 }),
      fc.constantFrom('x,"y', 'x', 'x,y,z', '"x" y,"z', '"x"y"z"'),
      fc.nat(),
      async (body, malformed, position) => {
        const lines: string[] = body.map((cells) => cells.join(','))
        const at = position % (lines.length + 1)
        lines.splice(at, 0, malformed)
        const records = await read(`a,b\n${lines.join('\n')}\n`)
        const failed = records.filter(([, cells]) => typeof cells === 'string')
        assert.deepEqual(
          failed.map(([row]) => row),
          [at + 2],
        )
        assert.deepEqual(
          records.slice(1).flatMap(([, cells]) => (typeof cells === 'string' ? [] : [cells])),
          body,
        )
      },
    ),
    { seed: 15 },
  )
})
