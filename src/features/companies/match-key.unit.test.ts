import assert from 'node:assert/strict'
import { test } from 'node:test'
import { matchKey } from './match-key.ts'

const same = (a: Parameters<typeof matchKey>[0], b: Parameters<typeof matchKey>[0]) =>
  assert.equal(matchKey(a), matchKey(b))
const different = (a: Parameters<typeof matchKey>[0], b: Parameters<typeof matchKey>[0]) =>
  assert.notEqual(matchKey(a), matchKey(b))

test('different spellings of a website are the same company', () => {
  const website = 'https://example.com'
  for (const other of [
    'http://www.example.com/',
    'https://EXAMPLE.com/about?x=1',
    'https://example.com.:443',
  ])
    same({ name: 'A', website }, { name: 'B', website: other })
  different({ name: 'A', website }, { name: 'A', website: 'https://shop.example.com' })
})

test('on a shared host, the path identifies the company', () => {
  different(
    { name: 'A', website: 'https://www.linkedin.com/company/a' },
    { name: 'B', website: 'https://linkedin.com/company/b' },
  )
  same({ name: 'A', website: 'https://linkedin.com/' }, { name: 'A' })
})

test('without a website, name and country identify the company, ignoring case, accents and punctuation', () => {
  same({ name: 'Señal, S.L.', country_code: 'ES' }, { name: 'SENAL S L', country_code: 'es' })
  different({ name: 'Atlas', country_code: 'ES' }, { name: 'Atlas', country_code: 'PT' })
  different({ name: 'Atlas', country: 'Remote' }, { name: 'Atlas' })
  different({ name: '银行' }, { name: '信托' })
  different({ name: '!!!' }, { name: '???' })
})
