import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newCompany, type StoredCompany } from '#src/features/companies/company-row.ts'
import type { CompanyPatch } from '#src/features/companies/schema.ts'
import { newId } from '#src/platform/ids.ts'
import { type Choices, mergeFields as mergeFieldsBy } from './fields.ts'
import { COMPANY_RULES } from './merge-companies.ts'

const mergeFields = (companies: StoredCompany[], choose: Choices) =>
  mergeFieldsBy<CompanyPatch>(COMPANY_RULES, companies, choose)

const company = (id: string, fields: object): StoredCompany =>
  ({ ...newCompany(newId('cmp'), { name: 'Nordlys' }), id, ...fields }) as StoredCompany

test("fields keep the survivor's value, or take the first one that is not empty", () => {
  const { fields, conflicts } = mergeFields(
    [
      company('a', { hq_city: 'Oslo', executives: [], financials: null }),
      company('b', { hq_city: 'Bergen', executives: [{ name: 'Ada' }], website: null }),
      company('c', { hq_city: 'Oslo', website: 'https://c.example', executives: [{ name: 'Zoë' }] }),
    ],
    {},
  )
  assert.deepEqual(
    [fields.hq_city, fields.website, fields.executives, fields.financials],
    ['Oslo', 'https://c.example', [{ name: 'Ada' }], null],
  )
  assert.deepEqual(conflicts, [
    { field: 'hq_city', values: { a: 'Oslo', b: 'Bergen', c: 'Oslo' }, chosen: 'a', truncated: false },
    {
      field: 'executives',
      values: { a: [], b: [{ name: 'Ada' }], c: [{ name: 'Zoë' }] },
      chosen: 'b',
      truncated: false,
    },
  ])
})

test('a choice decides, also for an empty value', () => {
  const { fields, conflicts } = mergeFields(
    [
      company('a', { hq_city: 'Oslo', founded_year: 2000 }),
      company('b', { hq_city: null, founded_year: 2001 }),
    ],
    { hq_city: 'b', founded_year: 'b' },
  )
  assert.deepEqual([fields.hq_city, fields.founded_year], [null, 2001])
  assert.deepEqual(
    conflicts.map(({ field, chosen }) => [field, chosen]),
    [['founded_year', 'b']],
  )
})

test('the details of a score come with the score', () => {
  const scored = company('b', { llm_score_overall: 50, llm_score_details: { b: 1 } })
  const imported = company('a', { llm_score_overall: 70, llm_score_details: null })
  assert.equal(mergeFields([imported, scored], {}).fields.llm_score_details, null)
  const chosen = mergeFields([imported, scored], { llm_score_overall: 'b' }).fields
  assert.deepEqual([chosen.llm_score_overall, chosen.llm_score_details], [50, { b: 1 }])
  assert.deepEqual(mergeFields([company('a', {}), scored], {}).fields.llm_score_details, { b: 1 })
})

test('lists of words are united, unless one is chosen', () => {
  const both = [company('a', { executives: ['x', 'y'] }), company('b', { executives: ['y', 'z'] })]
  const united = mergeFields(both, {})
  assert.deepEqual([united.fields.executives, united.conflicts], [['x', 'y', 'z'], []])
  assert.deepEqual(mergeFields(both, { executives: 'b' }).fields.executives, ['y', 'z'])
})

test('a united list that is too long is refused', () => {
  const list = (letter: string) => Array.from({ length: 300 }, (_value, n) => `${letter}${n}`)
  const both = [company('a', { executives: list('a') }), company('b', { executives: list('b') })]
  assert.throws(() => mergeFields(both, {}), /executives would have 600 entries, and may have at most 500/)
  assert.equal(mergeFields(both, { executives: 'a' }).fields.executives?.length, 300)
})

test('long values in conflicts are shortened', () => {
  const { conflicts, fields } = mergeFields(
    [
      company('a', { activity_description: 'x'.repeat(3000) }),
      company('b', { activity_description: 'short' }),
    ],
    {},
  )
  assert.deepEqual(
    [conflicts[0]?.truncated, conflicts[0]?.values.a, conflicts[0]?.values.b],
    [true, `${'x'.repeat(500)}…`, 'short'],
  )
  assert.equal(fields.activity_description?.length, 3000)
})

test('a choice of an unknown field or company is refused', () => {
  const both = [company('a', {}), company('b', {})]
  assert.throws(() => mergeFields(both, { nam: 'a' }), /choose\.nam is not a field .* Allowed: name, country/)
  assert.throws(() => mergeFields(both, { id: 'a' }), /choose\.id is not a field/)
  assert.throws(
    () => mergeFields(both, { name: 'c' }),
    /choose\.name must be the id of one of the merged companies \(a, b\), not c/,
  )
})
