import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type RawBuilder, sql } from 'kysely'
import { type Filter, MAX_FILTER_LEAVES } from '#src/platform/filter/schema.ts'
import { parseFilter } from '#src/platform/filter/tree.ts'
import { newId } from '#src/platform/ids.ts'
import { type TestApp, testApp } from '#src/testing/app.ts'
import { newCompany } from '../company-row.ts'
import { companyFilterFields } from '../fields.ts'
import { insertCompanies } from '../store.ts'
import { uncountedConditions } from './conditions.ts'

let api: TestApp

before(async () => {
  api = await testApp()
  const companies = ['Écluse x', 'Barrage y', null].map((activity_description) =>
    newCompany(newId('cmp'), { name: 'Ω', activity_description }),
  )
  await insertCompanies(companies).execute(api.context.db)
})
after(() => api.close())

const whereOf = (filter: Filter): RawBuilder<unknown> => {
  const tree = parseFilter(filter, companyFilterFields([]), { now: new Date(), email: null, timeZone: 'UTC' })
  return sql.join(uncountedConditions({ tree }, 'index'), sql` and `)
}

async function plan(filter: Filter): Promise<string> {
  return api.context.db.transaction().execute(async (transaction) => {
    await sql`set local enable_seqscan = off`.execute(transaction)
    const { rows } = await sql<{ 'QUERY PLAN': string }>`
      explain (verbose, costs off) select companies.id from companies where ${whereOf(filter)}`.execute(
      transaction,
    )
    return rows.map((row) => row['QUERY PLAN']).join('\n')
  })
}

const contains = (value: string): Filter => ({ field: 'activity_description', op: 'contains', value })
const many = (ofPart: (n: number) => Filter) => Array.from({ length: MAX_FILTER_LEAVES }, (_, n) => ofPart(n))
const folds = (text: string) => text.match(/fold_text\(companies\.activity_description\)/g)?.length ?? 0

test('a field is folded once per row, however many conditions search it', async () => {
  const letter = (n: number) => String.fromCharCode(0x4e00 + n)
  for (const filter of [
    { and: many((n) => ({ not: contains(letter(n)) })) },
    { or: many((n) => ({ not: contains(letter(n)) })) },
    { not: { or: many((n) => ({ and: [contains(letter(n))] })) } },
  ])
    assert.equal(folds(await plan(filter)), 1, JSON.stringify(filter).slice(0, 60))
})

test('repeated searches use the trigram index', async () => {
  for (const group of ['and', 'or'] as const) {
    const filter = { [group]: many((n) => contains(`word${n}`)) } as unknown as Filter
    const text = await plan(filter)
    assert.equal(
      text.match(/companies_by_search_text/g)?.length,
      group === 'or' ? MAX_FILTER_LEAVES : 1,
      text,
    )
  }
})

test('a text without the letter is not folded', async () => {
  const text = await plan(contains('界'))
  assert.match(text, /\(\(companies\.search_text \|\| ''::text\) ~~ .*\) AND \(fold_text\(/)
})

test('repeated searches find what single ones find', async () => {
  const found = async (filter: Filter) => {
    const { status, body } = await api.call('POST', '/api/companies/query', { filter })
    assert.equal(status, 200, body.details)
    return body.data.map((company: { activity_description: string | null }) => company.activity_description)
  }
  const others = many((n) => contains(`z${n}`)).slice(0, 9)
  const none = others.map((not) => ({ not }))
  assert.deepEqual(await found({ or: [contains('ECLUSE'), ...others] }), ['Écluse x'])
  assert.deepEqual(await found({ and: none }), [null, 'Barrage y', 'Écluse x'])
  assert.deepEqual(await found({ and: [contains('y'), ...none] }), ['Barrage y'])
  assert.deepEqual(await found({ and: [{ not: contains('x') }, ...none] }), [null, 'Barrage y'])
})
