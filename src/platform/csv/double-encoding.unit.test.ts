import assert from 'node:assert/strict'
import { test } from 'node:test'
import iconv from 'iconv-lite'
import { repairDoubleEncoding, repairEscapedBytes } from './double-encoding.ts'
import { open, rowsOf } from './table.fixture.ts'

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

test('a cell of 1 MB is decided in a moment', () => {
  for (const unit of ['Ã¼', 'Ã', '¼', 'Ãa', '\\xe2', '–'])
    for (const length of [200_000, 1_000_000]) {
      const start = performance.now()
      repairDoubleEncoding(unit.repeat(length / unit.length))
      repairEscapedBytes(unit.repeat(length / unit.length))
      assert.ok(performance.now() - start < 2000)
    }
})
