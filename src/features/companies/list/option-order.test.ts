import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql } from 'kysely'
import { maintainFieldIndexes } from '#src/features/fields/indexes.ts'
import type { CustomField } from '#src/features/fields/schema.ts'
import { parseSort } from '#src/platform/filter/sort.ts'
import { newId } from '#src/platform/ids.ts'
import { type TestApp, testApp } from '#src/testing/app.ts'
import { newCompany } from '../company-row.ts'
import { readCompanyFields } from '../fields.ts'
import { insertCompanies } from '../store.ts'
import { pageIds } from './sorting.ts'

const COMPANIES = 70
const COUNTRIES = ['DE', 'FR', null] as const

let api: TestApp
let field: CustomField
/** The companies, oldest first, with the label of their option. */
let companies: { id: string; label: string | undefined; country: string | null }[]

before(async () => {
  api = await testApp({ EMBEDDINGS: 'off' })
  const options = ['Zulu', 'alpha', 'Mike', 'Unused'].map((label) => ({ label }))
  const body = { entity: 'company', label: 'Round', key: 'round', type: 'select', options }
  field = (await api.call('POST', '/api/fields', body)).body.data
  companies = Array.from({ length: COMPANIES }, (_value, n) => ({
    id: newId('cmp'),
    label: ['Mike', undefined, 'Zulu', 'alpha', 'Zulu'][n % 5],
    country: COUNTRIES[n % 3] as string | null,
  }))
  const rows = companies.map(({ id, label, country }) => {
    const option = field.options.find((one) => one.label === label)
    return newCompany(id, {
      name: 'Sorted',
      country_code: country,
      custom: option ? { round: option.id } : {},
    })
  })
  await insertCompanies(rows).execute(api.context.db)
})
after(() => api.close())

/** The ids in the order of these labels. */
function inOrder(labels: (string | undefined)[], isDescending: boolean, country?: string): string[] {
  const group = (label: string | undefined) =>
    companies
      .filter((one) => one.label === label && (!country || one.country === country))
      .map(({ id }) => id)
  return labels.flatMap((label) => (isDescending ? group(label).reverse() : group(label)))
}

async function list(sort: object, more: object = {}): Promise<string[]> {
  const { body } = await api.call('POST', '/api/companies/query', { sort: [sort], limit: 1000, ...more })
  return body.data.map(({ id }: { id: string }) => id)
}

async function checkOrder(labels: string[]): Promise<void> {
  for (const direction of ['asc', 'desc'] as const)
    for (const nulls of ['first', 'last'] as const) {
      const isDescending = direction === 'desc'
      const withValue = isDescending ? labels.toReversed() : labels
      const all = nulls === 'first' ? [undefined, ...withValue] : [...withValue, undefined]
      const sort = { field: 'custom.round', direction, nulls }
      const expected = inOrder(all, isDescending)
      const name = JSON.stringify(sort)
      assert.deepEqual(await list(sort), expected, name)
      for (const offset of [0, 13, 40, 68])
        assert.deepEqual(await list(sort, { limit: 10, offset }), expected.slice(offset, offset + 10), name)
      for (const filter of [
        { field: 'country_code', op: 'eq', value: 'DE' },
        { field: 'name', op: 'eq', value: 'Sorted' },
      ]) {
        const matching = inOrder(all, isDescending, filter.value === 'DE' ? 'DE' : undefined)
        assert.deepEqual(await list(sort, { filter, limit: 9, offset: 5 }), matching.slice(5, 14), name)
      }
      assert.deepEqual(await list(sort, { search: 'sorted', limit: 9 }), expected.slice(0, 9), name)
    }
}

test('companies are sorted by the position of their option, also after the options are moved', async () => {
  await checkOrder(['Zulu', 'alpha', 'Mike'])
  const path = `/api/fields/${field.id}`
  const moved = [3, 2, 0, 1].map((at) => field.options[at])
  assert.equal((await api.call('PATCH', path, { options: moved })).status, 200)
  await checkOrder(['Mike', 'Zulu', 'alpha'])
})

test('companies whose option is being removed stay in the list until it is', async () => {
  const [zulu, ...others] = field.options
  await sql`
    update fields set options = ${JSON.stringify(others)}::json, removed_options = array[${zulu?.id}]
    where id = ${field.id}`.execute(api.context.db)
  await sql`update field_version set version = gen_random_uuid()`.execute(api.context.db)
  await checkOrder(['alpha', 'Mike', 'Zulu'])
})

test('a page in the order of the options is read through the index', async () => {
  const { backgroundDb: db } = api.context
  await maintainFieldIndexes(db, new AbortController().signal, async () => false)
  const fields = await readCompanyFields(db)
  for (const direction of ['asc', 'desc'] as const) {
    const ids = pageIds([], parseSort([{ field: 'custom.round', direction }], fields), 50, 100)
    const plan = await db.transaction().execute(async (transaction) => {
      await sql`set local enable_seqscan = off`.execute(transaction)
      await sql`set local enable_bitmapscan = off`.execute(transaction)
      const { rows } = await sql<{ 'QUERY PLAN': string }>`explain ${ids}`.execute(transaction)
      return rows.map((row) => row['QUERY PLAN']).join('\n')
    })
    assert.match(plan, /Nested Loop/)
    assert.match(plan, new RegExp(`custom_${field.id}\\b`))
  }
})
