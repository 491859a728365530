import assert from 'node:assert/strict'
import { test } from 'node:test'
import { stringify } from 'csv-stringify/sync'
import fc from 'fast-check'
import { harmlessCell, plainText, readCsv } from './csv.ts'

type Read = [row: number, cellsOrFault: string[] | string]

async function read(file: string | Buffer, chunkSize = 7): Promise<Read[]> {
  const bytes = Buffer.from(file)
  async function* chunks() {
    for (let at = 0; at < bytes.length; at += chunkSize) yield bytes.subarray(at, at + chunkSize)
  }
  const records: Read[] = []
  for await (const record of readCsv(chunks()))
    records.push([record.row, 'cells' in record ? record.cells : record.message])
  return records
}

test('commas, quotes, line breaks in cells and CRLF', async () => {
  assert.deepEqual(await read('a,b\r\n1,"x ""y"", z"\r\n2,"two\nlines"\r\n'), [
    [1, ['a', 'b']],
    [2, ['1', 'x "y", z']],
    [3, ['2', 'two\nlines']],
  ])
})

for (const delimiter of [';', '\t', '|'])
  test(`the delimiter ${JSON.stringify(delimiter)} is recognised from the header`, async () => {
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

test('a quote that is never closed costs its row only', async () => {
  assert.deepEqual(await read('a,b\n1,"oops\n2,y\n3,z\n'), [
    [1, ['a', 'b']],
    [2, 'A quote that opens in this row is not closed.'],
    [3, ['2', 'y']],
    [4, ['3', 'z']],
  ])
})

test('a quote closed by the quote of a later row costs its row only', async () => {
  const records = await read('a,b,c\n1,"oops,x\n2,"y",z\n3,v,w\n')
  assert.match(records[1]?.[1] as string, /quote .* is not closed/)
  assert.deepEqual(records.slice(2), [
    [3, ['2', 'y', 'z']],
    [4, ['3', 'v', 'w']],
  ])
})

test('a line joined to the next by a quote, with cells left over, costs its row only', async () => {
  const records = await read('a,b\n1,"oops\n2,x","y"\n3,z\n')
  assert.match(records[1]?.[1] as string, /A quote that is not closed may have joined lines/)
  assert.deepEqual(records.at(-1), [4, ['3', 'z']])
})

test('quotes used as letters are letters', async () => {
  assert.deepEqual(await read('a,b\n12" pipe,"x"\n"he said "hi" there",y\n'), [
    [1, ['a', 'b']],
    [2, ['12" pipe', 'x']],
    [3, ['"he said "hi" there"', 'y']],
  ])
})

test('too few and too many cells are faults; empty cells too many are not', async () => {
  assert.deepEqual(await read('a,b\n1\n1,2,3\n1,2,,\n'), [
    [1, ['a', 'b']],
    [2, 'The row has 1 cells; the header has 2.'],
    [3, 'The row has 3 cells; the header has 2.'],
    [4, ['1', '2']],
  ])
})

test('blank lines count as rows and are passed over', async () => {
  assert.deepEqual(await read('a,b\n\n1,2\n\n\n3,4'), [
    [1, ['a', 'b']],
    [3, ['1', '2']],
    [6, ['3', '4']],
  ])
})

test('a cell of 50 MB is a fault, and reading goes on behind it', async () => {
  async function* chunks() {
    yield Buffer.from('a,b\n1,x\n2,')
    for (let n = 0; n < 50; n++) yield Buffer.alloc(1024 * 1024, 'y')
    yield Buffer.from('\n3,z\n')
  }
  const records: Read[] = []
  for await (const record of readCsv(chunks()))
    records.push([record.row, 'cells' in record ? record.cells : record.message])
  assert.deepEqual(records.slice(0, 2), [
    [1, ['a', 'b']],
    [2, ['1', 'x']],
  ])
  assert.match(records[2]?.[1] as string, /longer than 1048576 bytes/)
  assert.deepEqual(records[3], [4, ['3', 'z']])
})

test('old line ends, with a malformed row among them', async () => {
  assert.deepEqual(await read('name,city\rA,"x" y\rB,z\rC,w\r', 100), [
    [1, ['name', 'city']],
    [2, ['A', '"x" y']],
    [3, ['B', 'z']],
    [4, ['C', 'w']],
  ])
})

test('a file of nothing but malformed rows is read in one pass, and others get their turn', async () => {
  let turns = 0
  const timer = setInterval(() => {
    turns += 1
  }, 1)
  const records = await read(`a,b,c\n${',"\n'.repeat(6000)}`, 65_536)
  clearInterval(timer)
  assert.equal(records.length, 6001)
  assert.ok(turns > 20, `${turns} turns`)
})

test('an empty file has no records', async () => {
  assert.deepEqual(await read(''), [])
  assert.deepEqual(await read('\n\n'), [])
})

const cell = fc
  .string({ unit: 'grapheme', maxLength: 12 })
  .filter((text) => text.isWellFormed() && !text.includes('\0'))

test('what a CSV writer writes is read back, however it is cut into chunks', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.tuple(cell, cell, cell)),
      fc.integer({ min: 1, max: 40 }),
      async (rows, size) => {
        const all: string[][] = [['a', 'b', 'c'], ...rows.map((row) => [...row])]
        const records = await read(stringify(all, { quoted: true }), size)
        assert.deepEqual(
          records.map(([, cells]) => cells),
          all,
        )
      },
    ),
  )
})

test('cells that a spreadsheet would run are made harmless, and come back', () => {
  for (const text of ['=1+1', '+1', '-2', '@x', '\tx', "'=1", "''=1", '＝1']) {
    assert.ok(harmlessCell(text).startsWith("'"), text)
    assert.equal(plainText(harmlessCell(text)), text)
  }
  for (const text of ["'quoted'", 'a=b', '']) assert.equal(harmlessCell(text), text)
  fc.assert(fc.property(fc.string(), (text) => plainText(harmlessCell(text)) === text))
})
