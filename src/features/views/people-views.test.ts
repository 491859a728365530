import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type Answer, type TestApp, testApp } from '#src/testing/app.ts'
import { ada } from '#src/testing/settings.ts'

let api: TestApp
before(async () => {
  api = await testApp({ EMBEDDINGS: 'off' })
  await api.call('GET', `/api/users/${ada}`)
})
after(() => api.close())

const ok = ({ status, body }: Answer) => {
  assert.ok(status < 300, `${status} ${JSON.stringify(body)}`)
  return body?.data
}
const save = (view: object) => api.call('POST', '/api/views', { entity: 'person', name: 'View', ...view })
const createPerson = async (name: string, fields: object = {}): Promise<string> =>
  ok(await api.call('POST', '/api/people', { name, ...fields })).id
const readNew = async (id: string) => (await api.call('GET', `/api/views/${id}/new`)).body
const newNames = async (id: string): Promise<string[]> =>
  (await readNew(id)).data.map(({ name }: { name: string }) => name)

test('a view of people has their fields, and counts who has entered it since the last look', async () => {
  const company_id = ok(await api.call('POST', '/api/companies', { name: 'Fjord Grid' })).id
  const filter = { field: 'company_id', op: 'eq', value: company_id }
  const columns = [{ field: 'name', pinned: true }, { field: 'emails' }, { field: 'companies' }]
  const sort = [{ field: 'name', direction: 'asc' }]
  const view = ok(await save({ filter, search: 'ingrid', columns, sort, visibility: 'shared' }))
  assert.deepEqual(
    [view.applied.filter, view.search, view.applied.columns, view.layout],
    [filter, 'ingrid', columns, 'table'],
  )
  const companies = [{ company_id }]
  await createPerson('Ingrid Solberg', { companies, emails: ['ingrid@fjord.example'] })
  await createPerson('Other Name', { companies })
  const elsewhere = await createPerson('Ingrid Elsewhere')
  const { data, until, pagination } = await readNew(view.id)
  assert.deepEqual(
    [data[0].name, data[0].companies[0].name, pagination.total],
    ['Ingrid Solberg', 'Fjord Grid', 1],
  )
  ok(await api.call('PUT', `/api/companies/${company_id}/people/${elsewhere}`, {}))
  const seen = ok(await api.call('POST', `/api/views/${view.id}/seen?until=${encodeURIComponent(until)}`))
  assert.equal(seen.records, 1)
  assert.deepEqual(await newNames(view.id), ['Ingrid Elsewhere'])
  ok(await api.call('POST', `/api/views/${view.id}/seen`))
  assert.deepEqual(await newNames(view.id), [])
})

test('people who enter a view with their company stay new', async () => {
  const company_id = ok(await api.call('POST', '/api/companies', { name: 'Deleted' })).id
  await createPerson('Comes back', { companies: [{ company_id }] })
  ok(await api.call('DELETE', `/api/companies/${company_id}`))
  const filter = { field: 'company_id', op: 'eq', value: company_id }
  const { id } = ok(await save({ filter }))
  const { until } = await readNew(id)
  ok(await api.call('POST', `/api/trash/${company_id}/restore`))
  ok(await api.call('POST', `/api/views/${id}/seen?until=${encodeURIComponent(until)}`))
  assert.deepEqual(await newNames(id), ['Comes back'])
})

test('a tag that only people have is not missing, and wrong parts are named', async () => {
  await createPerson('Tagged', { tags: ['Angel'] })
  const tagged = ok(await save({ filter: { field: 'tags', op: 'in', value: ['Angel', 'Gone'] } }))
  assert.deepEqual(tagged.missing, [{ kind: 'tag', name: 'Gone', used_in: 'filter' }])
  for (const [view, details] of [
    [{ columns: [{ field: 'hq_city' }] }, /columns\[0\]\.field must be the name of a field, not "hq_city"/],
    [{ sort: [{ field: 'emails', direction: 'asc' }] }, /sort\[0\]/],
    [{ layout: 'board' }, /layout must be table if entity is person/],
    [{ filter: { field: 'hq_city', op: 'eq', value: 'Oslo' } }, /filter\.field/],
    [{ entity: 'deal', search: 'x' }, /search must be null: only companies and people have it/],
  ] as const) {
    const { status, body } = await save(view)
    assert.equal(status, 400)
    assert.match(body.details, details)
  }
})
