import assert from 'node:assert/strict'
import { test } from 'node:test'
import { compareEvidence, evidenceOf, nameKey } from './evidence.ts'

const nothingIsShared = () => false

const relation = (
  one: Omit<Parameters<typeof evidenceOf>[0], 'name'>,
  other: Omit<Parameters<typeof evidenceOf>[0], 'name'>,
  isShared: (site: string) => boolean = nothingIsShared,
) =>
  compareEvidence(evidenceOf({ name: 'Atlas', ...one }), evidenceOf({ name: 'Atlas', ...other }), isShared)
    .relation

test('names are the same without case, accents, and punctuation', () => {
  for (const [one, other] of [
    ['Señal, S.L.', 'SENAL S L'],
    ["O'Reilly", 'OReilly'],
    ['BYJU’S', "Byju's"],
    ['Müller  Söhne', 'MÜLLER SÖHNE'],
    ['Café', 'Cafe\u0301'],
  ] as const)
    assert.equal(nameKey(one), nameKey(other), `${one} ${other}`)
})

test('another spelling of a name contradicts unless the website is the same', () => {
  const relationOf = (one: string, other: string, website?: string) =>
    compareEvidence(
      evidenceOf({ name: one, website, country: 'Germany' }),
      evidenceOf({ name: other, website, country: 'Germany' }),
      nothingIsShared,
    ).relation
  assert.equal(relationOf('Möller', 'Moller'), 'conflict')
  assert.equal(relationOf('Foo-Bar', 'Foo Bar'), 'conflict')
  assert.equal(relationOf('Möller', 'Moller', 'https://moller.example'), 'same')
  assert.equal(relationOf('BYJU’S  Labs', "Byju's labs"), 'compatible')
})

test('names that differ in symbols, letters, or words are different', () => {
  for (const [one, other] of [
    ['C++ Labs', 'C Labs'],
    ['Yahoo!', 'Yahoo'],
    ['! LTD', 'LTD'],
    ['!? LTD', '! LTD'],
    ['!!!', '???'],
    ['-', '—'],
    ['银行', '信托'],
    ['Домой', 'Домои'],
    ['がくせい', 'かくせい'],
    ['Acme GmbH', 'Acme AG'],
    ['Open Air', 'Openair'],
  ] as const)
    assert.notEqual(nameKey(one), nameKey(other), `${one} ${other}`)
})

test('two companies with one name and one website of their own are the same', () => {
  assert.equal(
    relation(
      { website: 'https://www.atlas.example/en', hq_city: 'Rome', country: 'Italy' },
      { website: 'http://shop.atlas.example', hq_city: 'Oslo', country: 'Norway' },
    ),
    'same',
  )
  assert.equal(
    relation({ website: 'https://müller.example' }, { website: 'https://xn--mller-kva.example' }),
    'same',
  )
})

test('another website or city contradicts, another country makes another company', () => {
  assert.equal(relation({ website: 'https://a.example' }, { website: 'https://b.example' }), 'conflict')
  assert.equal(relation({ hq_city: 'Bellevue' }, { hq_city: 'New York' }), 'conflict')
  assert.equal(relation({ country: 'Estonia' }, { country_code: 'BR' }), 'different')
})

test('a value that only one of them has does not contradict', () => {
  assert.equal(
    relation({}, { website: 'https://a.example', country: 'Italy', hq_city: 'Rome' }),
    'compatible',
  )
  assert.equal(relation({ country: 'Deutschland' }, { country_code: 'de' }), 'compatible')
  assert.equal(relation({ hq_city: 'Austin, TX' }, { hq_city: 'austin' }), 'compatible')
})

test('a website that many share, and another page on such a host, prove nothing', () => {
  const isShared = (site: string) => site === 'news.example'
  assert.equal(
    relation({ website: 'https://news.example/1' }, { website: 'https://own.example' }, isShared),
    'compatible',
  )
  assert.equal(
    relation({ website: 'https://linkedin.com/company/a' }, { website: 'https://nl.linkedin.com/company/b' }),
    'compatible',
  )
  assert.equal(
    relation(
      { website: 'https://linkedin.com/company/a' },
      { website: 'https://nl.linkedin.com/company/A/' },
    ),
    'same',
  )
})
