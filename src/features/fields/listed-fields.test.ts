import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type TestApp, testApp } from '#src/testing/app.ts'
import { FIELD_ENTITIES, type FieldEntity } from './list-schema.ts'

let api: TestApp
before(async () => {
  api = await testApp()
})
after(() => api.close())

const LISTS: Record<FieldEntity, string> = {
  company: '/api/companies',
  deal: '/api/dealflow',
  thesis: '/api/theses',
  person: '/api/people',
  note: '/api/notes',
  decision: '/api/decisions',
  task: '/api/tasks',
  file: '/api/files',
  activity: '/api/activity',
}

test('an error about an unknown field says which request lists the fields of these records', async () => {
  const filter = JSON.stringify({ field: 'nope', op: 'eq', value: 1 })
  for (const entity of FIELD_ENTITIES) {
    const list = `GET /api/fields?entity=${entity} lists them.`
    const filtered = await api.call('GET', LISTS[entity], undefined, { query: { filter } })
    assert.deepEqual(
      [filtered.status, filtered.body.details],
      [400, `filter.field must be the name of a field, not "nope". ${list}`],
    )
    if (entity === 'activity') continue
    const sorted = await api.call('GET', LISTS[entity], undefined, { query: { sort: '-nope' } })
    assert.deepEqual(
      [sorted.status, sorted.body.details],
      [400, `sort[0].field must be the name of a field to sort by, not "nope". ${list}`],
    )
    assert.equal((await api.call('GET', `/api/fields?entity=${entity}`)).status, 200)
  }
})

test('the list says which fields of companies have a value, where an index tells', async () => {
  const withValues = async () => {
    const { body } = await api.call('GET', '/api/fields?entity=company&limit=1000')
    return new Map<string, boolean | null>(
      body.data.map(({ name, has_values }: { name: string; has_values: boolean | null }) => [
        name,
        has_values,
      ]),
    )
  }
  await api.call('GET', '/api/users/ada@example.com')
  const values = {
    ...{ country: 'Germany', country_code: 'DE', hq_city: 'Berlin', industry_category: 'Optics' },
    ...{ founded_year: 2020, employee_count: 5, revenue_eur: 1e6, llm_score_overall: 70 },
    ...{ owner_email: 'ada@example.com' },
    thesis_id: (await api.call('POST', '/api/theses', { code: 'VALUES', title: 'Values' })).body.data.id,
  }
  const { id } = (await api.call('POST', '/api/companies', { name: 'Empty' })).body.data
  const before = await withValues()
  for (const name of Object.keys(values)) assert.equal(before.get(name), false, name)
  assert.equal(before.get('status'), true)
  assert.equal(before.get('website'), null)
  for (const [name, value] of Object.entries(values)) {
    const changed = await api.call('PATCH', `/api/companies/${id}`, { [name]: value })
    assert.equal(changed.status, 200, JSON.stringify(changed.body))
    // A code follows from a country.
    if (name === 'country') continue
    assert.equal((await withValues()).get(name), true, name)
  }
  assert.equal((await api.call('DELETE', `/api/companies/${id}`)).status, 204)
  for (const name of Object.keys(values)) assert.equal((await withValues()).get(name), false, name)
})
