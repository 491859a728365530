import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import type { CompanyIdentity } from './evidence.ts'
import { FileCompanies } from './file-companies.ts'

/** The number of the company of each row: rows with the same number are one company. */
function companiesOf(rows: readonly (CompanyIdentity | undefined)[], ids: readonly string[] = []): number[] {
  const file = new FileCompanies()
  for (const [index, identity] of rows.entries()) file.add(index + 2, identity, ids[index])
  file.join()
  const numbers = new Map<unknown, number>()
  return rows.map((_row, index) => {
    const company = file.ofRow(index)
    if (!company) return -1
    if (!numbers.has(company)) numbers.set(company, numbers.size)
    return numbers.get(company) as number
  })
}

const named = (name: string, fields: Omit<CompanyIdentity, 'name'> = {}) => ({ name, ...fields })

test('rows with different names are different companies, whatever website they share', () => {
  const website = 'https://group.example'
  assert.deepEqual(companiesOf([named('One', { website }), named('Two', { website })]), [0, 1])
})

test('a row with less evidence joins the only company that it can be', () => {
  const full = named('Acme', { website: 'https://acme.example', country: 'Italy', hq_city: 'Rome' })
  assert.deepEqual(companiesOf([named('Acme'), full, named('ACME', { country: 'Italy' })]), [0, 0, 0])
})

test('a row that could be several companies becomes a separate company', () => {
  const rows = [named('Acme', { country: 'Italy' }), named('Acme', { country: 'Spain' }), named('Acme')]
  assert.deepEqual(companiesOf(rows), [0, 1, 2])
})

test('the country or the city decides between companies with one name', () => {
  const rows = [
    named('Acme', { country: 'Italy', hq_city: 'Rome' }),
    named('Acme', { country: 'Italy', hq_city: 'Turin' }),
    named('Acme', { hq_city: 'Rome' }),
    named('Acme', { country: 'Spain' }),
  ]
  assert.deepEqual(companiesOf(rows), [0, 1, 0, 2])
})

test('a website with three names is not the own website of any of them', () => {
  const article = (name: string, page: number, hq_city?: string) =>
    named(name, { website: `https://news.example/${page}`, ...(hq_city && { hq_city }) })
  const rows = [
    article('One', 1, 'Rome'),
    article('Two', 2),
    article('Three', 3),
    article('One', 4, 'Oslo'),
    named('One', { website: 'https://one.example', hq_city: 'Rome' }),
  ]
  assert.deepEqual(companiesOf(rows), [0, 1, 2, 3, 0])
})

test('in an export, only the id identifies a company', () => {
  const rows = [named('Acme'), named('Acme'), named('Renamed')]
  assert.deepEqual(companiesOf(rows, ['cmp_1', 'cmp_2', 'cmp_1']), [0, 1, 0])
})

test('rows without a name have no company', () => {
  assert.deepEqual(companiesOf([named('A'), undefined, named('A')]), [0, -1, 0])
})

test('100,000 rows with one name and different cities are read without comparing each pair', () => {
  const rows = Array.from({ length: 100_000 }, (_value, n) =>
    named('GmbH', { hq_city: `City ${n % 60_000}` }),
  )
  const found = companiesOf(rows)
  assert.equal(new Set(found).size, 60_000)
  assert.equal(found[60_001], found[1])
})

test('all rows once more add no company, and a company has one name', () => {
  const identity = fc.record({
    name: fc.constantFrom('A', 'a', 'B', 'B.', 'C+', 'C'),
    website: fc.constantFrom(null, 'https://a.example', 'https://b.example', 'https://linkedin.com/in/a'),
    country: fc.constantFrom(null, 'Italy', 'Spain'),
  })
  fc.assert(
    fc.property(fc.array(identity, { maxLength: 12 }), (rows) => {
      const found = companiesOf(rows)
      for (const [index, company] of found.entries()) {
        const first = rows[found.indexOf(company)] as CompanyIdentity
        const key = (name: string) => name.toLowerCase().replace('.', '')
        assert.equal(key((rows[index] as CompanyIdentity).name), key(first.name))
      }
      assert.deepEqual(companiesOf([...rows, ...rows]).slice(0, rows.length), found)
      assert.equal(new Set(companiesOf([...rows, ...rows])).size, new Set(found).size)
    }),
  )
})
