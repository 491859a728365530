import assert from 'node:assert/strict'
import { mock, test } from 'node:test'
import iconv from 'iconv-lite'
import { CellDecoder } from '../cell-decoder.ts'
import { open, rowsOf } from '../table.fixture.ts'
import { repairDoubleEncoding, repairEscapedBytes } from './double-encoding.ts'

/** What UTF-8 looks like in another encoding. */
const misread = (text: string, encoding: string): string => iconv.decode(Buffer.from(text), encoding)

const TEXTS = [
  'Müller',
  'Société Générale',
  'São Paulo',
  'Fjell’s “best” tools – all',
  'Żółta Łódź',
  '100 °C',
  '🚀 Labs',
  'Acme ®',
  'Северный Луч',
  '北京星辰',
]

for (const text of TEXTS)
  test(`UTF-8 that was read as Windows-1252 or Latin-1 is repaired: ${text}`, () => {
    assert.equal(repairDoubleEncoding(Buffer.from(text).toString('latin1')), text)
    const once = misread(text, 'windows-1252')
    // Windows-1252 has no characters for five bytes.
    if (once.includes('\ufffd')) return
    assert.equal(repairDoubleEncoding(once), text)
    const twice = misread(once, 'windows-1252')
    if (!twice.includes('\ufffd')) assert.equal(repairDoubleEncoding(twice), text)
  })

test('UTF-8 that was read in the encodings of DOS, the Mac, and Cyrillic Windows is repaired', () => {
  for (const [text, encoding] of [
    ['Müller Bäckerei', 'cp850'],
    ['Société Générale', 'cp437'],
    ['Müller Bäckerei', 'macintosh'],
    ['Север', 'windows-1251'],
  ] as const)
    assert.equal(repairDoubleEncoding(misread(text, encoding)), text)
})

test('text that only looks a little odd stays', () => {
  for (const text of [
    'NESCAFÉ®',
    'CAFÉ™',
    'AMANHÃ…',
    'SÃO',
    '“Å°”',
    'Âme',
    'Ää',
    'ÀÉÎ',
    'Tür–Öl',
    'Рё',
    'ΆΈ',
    'Ã',
    'plain',
    'Ü£5',
    'Łódź Ã¼ber',
  ])
    assert.equal(repairDoubleEncoding(text), text)
  for (const text of TEXTS) assert.equal(repairDoubleEncoding(text), text)
})

test('bytes that a program wrote as letters are repaired where they are UTF-8', () => {
  assert.equal(repairEscapedBytes('Fjell\\xe2\\x80\\x99s, \\\\xc3\\\\x98rsted'), 'Fjell’s, Ørsted')
  for (const text of ['C:\\xampp', '\\xa0', '\\xe2\\x80', 'x\\n'])
    assert.equal(repairEscapedBytes(text), text)
})

test('repaired cells are counted, with an example, the same in each reading', async () => {
  const long = `${'word '.repeat(100)}naÃ¯ve ${'word '.repeat(100)}`
  const table = await open(`Name,City\nMÃ¼ller,KÃ¶ln\nFjell,${long}\nBre,Oslo\\xe2\\x80\\x99s\nÆrø,Å\n`)
  for (let time = 0; time < 2; time++) {
    const rows = await rowsOf(table)
    assert.deepEqual(rows[0], [2, ['Müller', 'Köln']])
    assert.match(rows[1]?.[1][1] ?? '', / naïve /)
    assert.deepEqual(rows[3], [5, ['Ærø', 'Å']])
    assert.deepEqual(table.warnings, [
      '3 cells were encoded twice and have been repaired, such as "MÃ¼ller" → "Müller".',
      '1 cell had escaped bytes and has been repaired, such as "Oslo\\xe2\\x80\\x99s" → "Oslo’s".',
    ])
  }
})

test('an example shows the word that was repaired', async () => {
  const table = await open(`Name,City\n${'word '.repeat(100)}naÃ¯ve,Oslo\n`)
  await rowsOf(table)
  assert.match(table.warnings.join(), /such as "naÃ¯ve" → "naïve"/)
})

const UNITS = ['Ã¼', 'Ã¼ber ', 'ÃƒÂ¼', '├╝', 'РЎ', 'Ã', '¼', 'Ãa', '–', 'Ã¼Ж']

/** How many characters are judged, and how many patterns are tested. */
function workOf(cell: string): { characters: number; tests: number } {
  const characters = mock.method(String.prototype, 'codePointAt').mock
  const tests = mock.method(RegExp.prototype, 'test').mock
  try {
    repairDoubleEncoding(cell)
    return { characters: characters.callCount(), tests: tests.callCount() }
  } finally {
    characters.restore()
    tests.restore()
  }
}

for (const unit of UNITS)
  test(`a long cell is judged by its beginning: ${unit}`, () => {
    for (const length of [10_000, 60_000]) {
      const cell = unit.repeat(length / unit.length)
      const { characters } = workOf(cell)
      // Two texts of 2,000 characters in three passes, with the neighbors of each character.
      assert.ok(characters <= 24_100, `${characters} characters judged`)
    }
  })

for (const unit of UNITS)
  test(`patterns are tested on cells, not on characters: ${unit}`, () => {
    const cell = unit.repeat(200)
    repairDoubleEncoding(cell)
    const { tests } = workOf(cell)
    assert.ok(tests <= 30, `${tests} tests`)
  })

test('a long cell is repaired as a whole, wherever its first sign is', () => {
  for (const [before, between] of [
    ['', 'Ã¼'],
    ['plain '.repeat(500), ' text '],
    ['', 'x'.repeat(1998)],
    ['', 'ä'.repeat(2).replaceAll('ä', 'Ã¤')],
  ] as const) {
    const text = `${before}${`Müller Söhne ${between}`.repeat(5)}`.replaceAll('Ã¼', 'ü').replaceAll('Ã¤', 'ä')
    assert.equal(repairDoubleEncoding(Buffer.from(text).toString('latin1')), text)
  }
  // The excerpt may end inside of a character.
  for (let shift = 0; shift < 4; shift++) {
    const text = 'x'.repeat(shift) + 'é'.repeat(3) + '北京'.repeat(1500)
    assert.equal(repairDoubleEncoding(Buffer.from(text).toString('latin1')), text)
  }
})

test('cells of more than 64 KB are left as they are', () => {
  const cell = 'Ã¼'.repeat(40_000)
  assert.equal(repairDoubleEncoding(cell), cell)
})

test('a wide record is decoded in several turns of the event loop', async () => {
  const cells = Array.from({ length: 60_000 }, () => 'MÃ¼ller KÃ¶ln')
  const records = [{ row: 1, cells }]
  let turns = 0
  let isDecoding = true
  const count = () => {
    turns += 1
    if (isDecoding) setImmediate(count)
  }
  setImmediate(count)
  await new CellDecoder(false, false).decodeRecords(records)
  isDecoding = false
  assert.equal(records[0]?.cells.length, 60_000)
  assert.ok(records[0]?.cells.every((cell) => cell === 'Müller Köln'))
  assert.ok(turns > 2, `${turns} turns`)
})

test('a cell of 1 MB is decided in a moment', () => {
  for (const unit of ['Ã¼', 'Ã', '¼', 'Ãa', '\\xe2', '–'])
    for (const length of [200_000, 1_000_000]) {
      const start = performance.now()
      repairDoubleEncoding(unit.repeat(length / unit.length))
      repairEscapedBytes(unit.repeat(length / unit.length))
      assert.ok(performance.now() - start < 2000)
    }
})
