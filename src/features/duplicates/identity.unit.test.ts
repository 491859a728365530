import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { siteOf } from '#src/features/companies/website.ts'
import { pairId } from './compare.ts'
import { identityOf, keysToFind, type NameKeys, nameKeys } from './identity.ts'
import { matchOf } from './score.ts'
import { editDistance } from './similarity.ts'

test('a website is identified by its registrable domain, and a page on a shared host by its address', () => {
  for (const [website, expected] of [
    ['https://www.shop.example.co.uk/en?x=1', 'example.co.uk'],
    ['EXAMPLE.com', 'example.com'],
    ['https://acme.github.io/site', 'acme.github.io'],
    ['https://github.io', null],
    ['https://nl.linkedin.com/company/Acme/', 'linkedin.com/company/acme'],
    ['https://www.linkedin.com/', 'linkedin.com'],
    ['https://play.google.com/store/apps/details?id=com.acme', 'google.com/store/apps/details?id=com.acme'],
    ['https://acme.substack.com/p/1', 'acme.substack.com'],
    ['https://www.apple.com/', 'apple.com'],
    ['https://appgallery.huawei.com/app/C1', 'huawei.com/app/c1'],
    ['https://apps.apple.com/us/app/acme/id1', 'apple.com/us/app/acme/id1'],
    ['https://münchen-robotik.de', 'xn--mnchen-robotik-gsb.de'],
    ['http://192.168.0.1/', null],
    ['http://localhost:3000', null],
    ['not a website', null],
    ['', null],
  ] as const)
    assert.equal(siteOf(website)?.key ?? null, expected, website)
})

const letters = fc.string({ unit: fc.constantFrom(...'abcdeg'), minLength: 7, maxLength: 30 })
const shares = (keys: NameKeys, others: NameKeys[]) =>
  others.some((other) =>
    Object.entries(keys).some(([column, key]) => key !== null && key === other[column as keyof NameKeys]),
  )

test('a name is found by its parts if one letter was inserted, dropped or replaced', () => {
  fc.assert(
    fc.property(
      letters,
      fc.nat(),
      fc.constantFrom('', 'x'),
      fc.boolean(),
      (name, position, letter, replaces) => {
        const at = position % name.length
        const typo = name.slice(0, at) + letter + name.slice(replaces || !letter ? at + 1 : at)
        assert.equal(editDistance(name, typo), 1)
        assert.ok(shares(nameKeys(name), keysToFind(typo)), `${name} is found for ${typo}`)
      },
    ),
  )
})

test('names with other numbers and short names have no part in common', () => {
  assert.ok(!shares(nameKeys('alpine fund 2'), keysToFind('alpine fund 3')))
  assert.ok(!shares(nameKeys('acme'), keysToFind('acne')))
  assert.ok(shares(nameKeys('acme'), keysToFind('acme')))
  assert.deepEqual(keysToFind(''), [])
})

test('a country is known by its code or its name in any language', () => {
  for (const country of ['Norway', 'Norwegen', 'NO', 'NOR'])
    assert.equal(identityOf({ name: 'Nordlys', country }).country, 'NO', country)
  assert.equal(identityOf({ name: 'Nordlys', country: 'Atlantis' }).country, 'atlantis')
  assert.equal(identityOf({ name: 'Nordlys', country: ' ' }).country, null)
})

test('the score depends on the website, the name and the country', () => {
  const one = { domain: 'nordlys.no', name: 'nordlys robotics', country: 'NO' }
  const scores = (other: Partial<typeof one> | { domain: null } | { country: null }) =>
    matchOf(one, { ...one, ...other })
  assert.deepEqual(scores({}), { score: 1, reasons: ['same_domain', 'same_name'] })
  assert.deepEqual(scores({ domain: null }), { score: 0.9, reasons: ['same_name'] })
  assert.deepEqual(scores({ name: 'other' }), { score: 0.75, reasons: ['same_domain'] })
  assert.deepEqual(scores({ domain: 'linkedin.com/company/nordlys' }), { score: 0.9, reasons: ['same_name'] })
  assert.equal(scores({ domain: null, country: 'SE' } as never), undefined)
  const missing = matchOf({ ...one, domain: null }, { ...one, domain: null, country: null })
  assert.equal(missing?.score, 0.81)
  const similar = { ...one, name: 'nordlys robtics' }
  assert.deepEqual(matchOf({ ...one, domain: null }, similar)?.reasons, ['similar_name'])
  assert.deepEqual(scores({ domain: 'other.no' }), { score: 0.59, reasons: ['same_name'] })
  assert.deepEqual(scores({ domain: 'nordlys.com' }), { score: 0.9, reasons: ['same_name'] })
  assert.equal(matchOf({ ...one, domain: 'other.no' }, similar), undefined)
  assert.ok((matchOf(one, { ...similar, country: 'SE' })?.score ?? 0) > 0.75)
})

test('the id of a pair is stable', () => {
  assert.equal(pairId('cmp_1', 'cmp_2'), pairId('cmp_1', 'cmp_2'))
  assert.notEqual(pairId('cmp_1', 'cmp_2'), pairId('cmp_1', 'cmp_3'))
  assert.match(pairId('cmp_1', 'cmp_2'), /^dup_[0-7][0-9a-hjkmnp-tv-z]{25}$/)
})
