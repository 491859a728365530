import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { StoredCompany } from '#src/features/companies/company-row.ts'
import { type CompanyIdentity, evidenceOf } from './evidence.ts'
import { FileCompanies } from './file-companies.ts'
import { resolveNamesakes } from './resolve.ts'

type Fields = Omit<CompanyIdentity, 'name'>

/** What each company of the file is: the id of an existing company, "?" if it is ambiguous, or "new". */
function resolve(file: readonly Fields[], existing: Record<string, Fields>): string[] {
  const companies = new FileCompanies()
  for (const [index, fields] of file.entries())
    companies.add(index + 2, { name: 'Acme', ...fields }, undefined)
  companies.join()
  const known = Object.entries(existing).map(([id, fields]) => ({
    company: { id, name: 'Acme', ...fields } as StoredCompany,
    evidence: evidenceOf({ name: 'Acme', ...fields }),
  }))
  const named = companies.withName('acme')
  const resolutions = resolveNamesakes(named, known, companies.isShared)
  return named.map((company) => {
    const { match, isAmbiguous } = resolutions.get(company) as NonNullable<ReturnType<typeof resolutions.get>>
    return match?.id ?? (isAmbiguous ? '?' : 'new')
  })
}

const rome = { country: 'Italy', hq_city: 'Rome' }
const turin = { country: 'Italy', hq_city: 'Turin' }

test('the name alone is enough when only one company has it', () => {
  assert.deepEqual(resolve([{}], { one: { website: 'https://acme.example', ...rome } }), ['one'])
  assert.deepEqual(resolve([{ website: 'https://acme.example', ...rome }], { one: {} }), ['one'])
  assert.deepEqual(resolve([{}], { one: rome, two: turin }), ['?'])
})

test('a company that an earlier import of the same row stored is matched', () => {
  assert.deepEqual(resolve([{}, rome, turin], { a: {}, b: rome, c: turin }), ['a', 'b', 'c'])
})

test('of several companies with the same evidence, the oldest is matched', () => {
  assert.deepEqual(resolve([rome], { old: rome, young: rome }), ['old'])
})

test('two companies of the file are never one existing company', () => {
  assert.deepEqual(resolve([rome, turin], { one: { country: 'Italy' } }), ['?', '?'])
  assert.deepEqual(resolve([rome, turin], { one: rome }), ['one', 'new'])
})

test('better evidence wins over worse', () => {
  const website = 'https://acme.example'
  assert.deepEqual(resolve([{ website, country: 'Italy' }], { a: { country: 'Italy' }, b: { website } }), [
    'b',
  ])
  assert.deepEqual(resolve([{ country: 'Italy' }], { a: {}, b: rome }), ['b'])
})

test('contradictions are no match, and said', () => {
  assert.deepEqual(resolve([rome], { one: turin, two: { country: 'Spain' } }), ['new'])
})
