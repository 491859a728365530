import assert from 'node:assert/strict'
import { test } from 'node:test'
import { coreName } from './company-name.ts'
import { nameSimilarity } from './similarity.ts'

const core = (name: string, country: string | null = null) => coreName(name, country)

test('a name without its legal form is the same however it is written', () => {
  for (const [name, country, expected] of [
    ['Nordlys Robotics AS', 'NO', 'nordlys robotics'],
    ['NORDLYS-ROBOTICS A/S', 'DK', 'nordlys robotics'],
    ['Kern & Söhne GmbH & Co. KG', 'DE', 'kern sohne'],
    ['Kern und Soehne mbH', 'DE', 'kern sohne'],
    ['Wisła Soft sp. z o. o.', 'PL', 'wisla soft'],
    ['Vltava Software, s.r.o.', 'CZ', 'vltava software'],
    ['UAB Baltija', 'LT', 'baltija'],
    ['ООО Ромашка', 'RU', 'ромашка'],
    ['The Alpine Company Inc.', 'US', 'alpine'],
    ['株式会社山田製作所', 'JP', '山田製作所'],
    ["O'Neill's Ltd", null, 'oneills'],
  ] as const)
    assert.equal(core(name, country), expected.normalize('NFKD').replace(/\p{M}/gu, ''), name)
})

test('a short legal form is a word in other countries', () => {
  assert.equal(core('Check Up', 'DE'), 'check up')
  assert.equal(core('Check UP', 'BY'), 'check')
})

test('a name that consists of legal forms stays', () => {
  assert.equal(core('Limited', 'GB'), 'limited')
  assert.equal(core('SA AG', 'CH'), 'sa')
})

test('names with a typo are similar', () => {
  for (const [one, other] of [
    ['nordlys robotics', 'nordlys robtics'],
    ['nordlys robotics', 'nrodlys robotics'],
    ['nordlys robotics', 'nordlys robotiks'],
    ['kavelodrin', 'kaveldorin'],
  ] as const)
    assert.ok(nameSimilarity(one, other) > 0.2, `${one} and ${other}: ${nameSimilarity(one, other)}`)
  assert.equal(nameSimilarity('nordlys robotics', 'nordlysrobotics'), 1)
  assert.equal(nameSimilarity('nordlys robotics', 'robotics nordlys'), 1)
})

test('names with another word or number are not similar', () => {
  for (const [one, other] of [
    ['sun international technologies', 'sea international technologies'],
    ['nordlys robotics', 'nordlys systems'],
    ['alpine fund 2', 'alpine fund 3'],
    ['acme', 'acne'],
    ['', ''],
  ] as const)
    assert.equal(nameSimilarity(one, other), 0, `${one} and ${other}`)
})
