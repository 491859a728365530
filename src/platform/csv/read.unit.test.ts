import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parse } from 'csv-parse/sync'
import { stringify } from 'csv-stringify/sync'
import fc from 'fast-check'
import { BLOCK_BYTES } from './encoding.ts'
import { CsvReader, type CsvRecord, readCsv } from './read.ts'

type Read = [row: number, cellsOrFault: string[] | string]

const shown = (record: CsvRecord): Read => [record.row, 'cells' in record ? record.cells : record.message]

function* slices<T extends string | Buffer>(file: T, size: number): Generator<T> {
  for (let at = 0; at < file.length; at += size) yield file.slice(at, at + size) as T
}

/** Reads the file, and checks that it gives the same records however it is cut. */
async function read(file: string | Buffer, blockSize = 7): Promise<Read[]> {
  const bytes = Buffer.from(file)
  const records = (await readWhole(slices(bytes, blockSize))).map(shown)
  const text = bytes.toString('latin1')
  if (!/^(\xff\xfe|\xef\xbb)/.test(text))
    assert.deepEqual(readBlocks(text, blockSize).records.map(shown), records)
  return records
}

async function readWhole(chunks: Iterable<Buffer>): Promise<CsvRecord[]> {
  async function* input() {
    yield* chunks
  }
  const records: CsvRecord[] = []
  for await (const batch of readCsv(input())) for (const record of batch) records.push(record)
  return records
}

/** Reads text with one character per byte in blocks of any size. */
function readBlocks(text: string, blockSize: number): { records: CsvRecord[]; scanned: number } {
  const reader = new CsvReader()
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

for (const delimiter of [';', '\t', '|'])
  test(`the delimiter ${JSON.stringify(delimiter)} is detected from the header`, async () => {
    const file = `name${delimiter}"a,b,c,d"\nx${delimiter}1,2\n`
    assert.deepEqual(await read(file), [
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

test('UTF-16 with its mark, as Excel saves "Unicode text"', async () => {
  const file = Buffer.concat([
    Buffer.from([0xff, 0xfe]),
    Buffer.from('name\tcity\r\nŁódź\tPoznań\r\n', 'utf16le'),
  ])
  assert.deepEqual(await read(file, 5), [
    [1, ['name', 'city']],
    [2, ['Łódź', 'Poznań']],
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
    [2, 'The row has 1 cells; the header has 2.'],
    [3, 'The row has 3 cells; the header has 2.'],
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
  const records = (await readWhole(chunks())).map(shown)
  assert.deepEqual(records.slice(0, 2), [
    [1, ['a', 'b']],
    [2, ['1', 'x']],
  ])
  assert.match(records[2]?.[1] as string, /longer than 1048576 bytes/)
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
}

for (const [name, attack] of Object.entries(ATTACKS))
  test(`reading is linear: ${name}`, () => {
    for (const [header, size] of [
      ['a,b,c\n', BLOCK_BYTES],
      ['a,b\n', 1000],
      ['', BLOCK_BYTES],
    ] as const) {
      const text = header + attack
      const { scanned } = readBlocks(text, size)
      assert.ok(scanned <= 5 * text.length, `${scanned} characters scanned of ${text.length}`)
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
  const records = await readWhole([file])
  const elapsed = performance.now() - start
  isReading = false
  assert.equal(records.length, 200_001)
  // Far more than 2 ms per turn, because a busy machine may stop the process in between.
  assert.ok(turns >= elapsed / 100, `${turns} turns in ${elapsed} ms`)
})

test('a file that arrives byte by byte is read in blocks', async () => {
  const file = Buffer.from(`a,b\n${'x,y\n'.repeat(40_000)}`)
  let records = 0
  let batches = 0
  async function* bytes() {
    yield* slices(file, 1)
  }
  for await (const batch of readCsv(bytes())) {
    batches += 1
    records += batch.length
  }
  assert.equal(records, 40_001)
  assert.ok(batches < 10, `${batches} batches`)
})

test('an empty file has no records', async () => {
  assert.deepEqual(await read(''), [])
  assert.deepEqual(await read('\n\n'), [])
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
