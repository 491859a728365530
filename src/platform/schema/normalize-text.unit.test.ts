import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { foldWidth, normalizeName, normalizeText, normalizeTexts } from './normalize-text.ts'

const JOINER = '\u200d'
const NON_JOINER = '\u200c'

const check = (cases: Record<string, string>) => {
  for (const [text, normalized] of Object.entries(cases))
    assert.equal(normalizeText(text), normalized, JSON.stringify(text))
}

test('letters with separate accents are composed', () => {
  check({ 'Mu\u0308ller': 'Müller', 'Å\u0301': 'Ǻ', '\u1112\u1161\u11ab': '한', 'e\u200b\u0301': 'é' })
})

test('characters that nobody sees are removed, wherever they are', () => {
  const invisible = [
    ...['\u200b', '\u2060', '\ufeff', '\u00ad', '\u180e', '\u034f', '\u061c', '\u3164', '\u200e', '\u200f'],
    ...['\u202a', '\u202b', '\u202c', '\u202d', '\u202e', '\u2066', '\u2067', '\u2068', '\u2069', '\u206a'],
    ...[JOINER, NON_JOINER, '\ufe0f', '\ufe0e', '\ufe00', '\u{e0041}', '\u{e007f}', '\u{e0100}', '\ufff9'],
  ]
  for (const character of invisible)
    for (const text of [
      `${character}Acme`,
      `Ac${character}me`,
      `Acme${character}`,
      `Ac${character}${character}me`,
    ])
      assert.equal(normalizeText(text), 'Acme', JSON.stringify(text))
})

test('no-break and other special spaces become plain ones, and tabs and line breaks stay', () => {
  for (const space of '\u00a0\u2000\u2002\u2003\u2007\u2009\u200a\u202f\u205f\u3000')
    assert.equal(normalizeText(`a${space}${space}b`), 'a  b')
  check({ 'a\tb\r\nc\u00a0\n': 'a\tb\r\nc \n', 'a\u1680b': 'a\u1680b' })
})

test('joiners stay inside words of scripts that need them', () => {
  for (const word of [
    `می${NON_JOINER}خواهم`,
    `ක${'\u0dca'}${JOINER}ර`,
    `क${'\u094d'}${JOINER}ष`,
    `র${JOINER}${'\u09cd'}য`,
    `ന${'\u0d4d'}${JOINER}`,
  ])
    for (const text of [word, `Acme ${word}`]) assert.equal(normalizeText(text), text)
  check({
    [`کتاب${NON_JOINER} نو`]: 'کتاب نو',
    [`${NON_JOINER}کتاب`]: 'کتاب',
    [`می${NON_JOINER}${NON_JOINER}\u200bخواهم`]: `می${NON_JOINER}خواهم`,
    [`Auf${NON_JOINER}lage`]: 'Auflage',
    [`株${JOINER}式`]: '株式',
  })
})

test('emoji and variants of characters keep what they are made of', () => {
  for (const text of [
    ...['👩‍🚀', '👨‍👩‍👧‍👦', '❤️‍🔥', '🏳️‍🌈', '🧑🏽‍🤝‍🧑🏻', '1️⃣', '☎️', '☎︎', '🇩🇪'],
    '\u{1f3f4}\u{e0067}\u{e0062}\u{e0073}\u{e0063}\u{e0074}\u{e007f}',
    ...['葛\u{e0100}城', '∩\ufe00', 'ᠠ\u180bᠠ', 'ᠠ\u180eᠠ'],
  ])
    assert.equal(normalizeText(text), text)
  check({ '👩‍ 🚀': '👩 🚀', '1\ufe0f': '1', 'x👩‍': 'x👩', '\u{1f3f4}\u{e0067}': '\u{1f3f4}' })
})

test('a normalized text stays as it is', () => {
  const part = fc.oneof(
    fc.constantFrom(
      'a',
      'e',
      '1',
      ' ',
      'ی',
      'ک',
      'क',
      '\u094d',
      'ന',
      '\u0d4d',
      'ᠠ',
      '株',
      '神',
      '\u{1f3f4}',
      '👩',
      '🏽',
      '☎',
      '\u20e3',
    ),
    fc.constantFrom(
      JOINER,
      NON_JOINER,
      '\u200b',
      '\ufe0f',
      '\ufe00',
      '\u{e0067}',
      '\u{e007f}',
      '\u{e0100}',
      '\u180b',
      '\u180e',
    ),
    fc.constantFrom('\u0301', '\u0308', '\u064b', '\u093c', '\u00a0', '\u3000', '\uff21', '\ufa19', '\u2126'),
    fc.string({ unit: 'binary', maxLength: 2 }),
  )
  const text = fc.array(part, { maxLength: 12 }).map((parts) => parts.join(''))
  fc.assert(
    fc.property(text, (input) => {
      const normalized = normalizeText(input)
      assert.equal(normalizeText(normalized), normalized)
      assert.equal(normalized, normalized.normalize('NFC'))
      const name = normalizeName(input)
      assert.equal(normalizeName(name), name)
    }),
    { numRuns: 3000 },
  )
})

test('ASCII stays as it is', () => {
  fc.assert(fc.property(fc.string({ unit: 'binary-ascii' }), (text) => normalizeName(text) === text))
})

test('full-width letters, digits, and signs become ASCII in names', () => {
  assert.equal(foldWidth('ＡＢＣ－１２３．５（株）～！'), 'ABC-123.5(株)~!')
  assert.equal(foldWidth('ｱｲｳ ￥ \u3000'), 'ｱｲｳ ￥ \u3000')
  assert.equal(normalizeName('Ｒｏｅ\u3000Ｅ\u0301'), 'Roe É')
  assert.equal(normalizeText('Ａ１'), 'Ａ１')
})

test('the texts in JSON are normalized, but not names of properties and what is left out', () => {
  const value = {
    'a\u200b': ['x\u200b', 1, null, { b: 'Mu\u0308ller', c: true }],
    kept: { d: '\u200b' },
    'e\u0301': 'e\u0301',
  }
  assert.deepEqual(normalizeTexts(value, new Set(['kept'])), {
    'a\u200b': ['x', 1, null, { b: 'Müller', c: true }],
    kept: { d: '\u200b' },
    'e\u0301': 'é',
  })
  assert.equal(normalizeTexts('\u00a0'), ' ')
  assert.equal(normalizeTexts(5), 5)
})

test('a long text takes a time that grows with its length', () => {
  for (const part of [
    JOINER,
    '\ufe0f',
    'a\u200b',
    '\u0301',
    `ی${NON_JOINER}`,
    '👩‍',
    '\u{1f3f4}\u{e0067}',
    '\u180e',
  ]) {
    const started = performance.now()
    normalizeText(part.repeat(1_000_000 / part.length))
    const took = performance.now() - started
    assert.ok(took < 3000, `${JSON.stringify(part)} took ${Math.round(took)} ms`)
  }
})
