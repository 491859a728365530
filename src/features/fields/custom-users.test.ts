import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type TestApp, testApp } from '#src/testing/app.ts'

let api: TestApp
const grace = 'grace@example.com'
const stranger = 'stranger@example.com'
const FAULT = /^custom\.lead must be the email address of a user, not "stranger@example\.com"\.$/

before(async () => {
  api = await testApp({ EMBEDDINGS: 'off' })
  await api.call('GET', `/api/users/${grace}`)
  for (const entity of ['company', 'deal'])
    await api.call('POST', '/api/fields', { entity, label: 'Lead', key: 'lead', type: 'user' })
})
after(() => api.close())

const company = async (custom: object) =>
  (await api.call('POST', '/api/companies', { name: 'Led', custom })).body
const importCsv = async (csv: string, query = '') =>
  (
    await api.call('POST', `/api/companies/import${query}`, undefined, {
      headers: { 'content-type': 'text/csv', 'x-user-email': grace },
      payload: csv,
    })
  ).body.data

test("a user field accepts only users' addresses, in companies and deals", async () => {
  const { data } = await company({ lead: ' Grace@Example.com ' })
  assert.deepEqual(data.custom, { lead: grace })
  const company_id = data.id
  const deal = (await api.call('POST', '/api/dealflow', { company_id, custom: { lead: grace } })).body.data
  assert.deepEqual(deal.custom, { lead: grace })
  const custom = { lead: 'Stranger@example.com' }
  for (const [method, path, body] of [
    ['POST', 'companies', { name: 'Led', custom }],
    ['PATCH', `companies/${company_id}`, { custom }],
    ['PATCH', 'companies', { ids: [company_id], changes: { custom } }],
    ['POST', 'dealflow', { company_id, custom }],
    ['PATCH', `dealflow/${deal.id}`, { custom }],
    ['PATCH', 'dealflow', { ids: [deal.id], changes: { custom } }],
  ] as const) {
    const { status, body: answer } = await api.call(method, `/api/${path}`, body)
    assert.equal(status, 400, `${method} ${path}`)
    assert.match(answer.details, FAULT, `${method} ${path}`)
  }
  assert.equal(
    (await api.call('PATCH', `/api/companies/${company_id}`, { custom: { lead: null } })).status,
    200,
  )
})

test('a cell that is no user is left blank, and the warning names the field', async () => {
  const csv = `name,custom.lead\nLed by Grace,Grace@example.com\nLed by a stranger,${stranger}\n`
  for (const query of ['?dry_run=true', '']) {
    const { created, updated, unchanged, failed, bad_cells } = await importCsv(csv, query)
    assert.deepEqual([created + updated + unchanged, failed], [2, 0])
    const [{ row, column, value, message }] = bad_cells
    assert.deepEqual([bad_cells.length, row, column, value], [1, 3, 'custom.lead', stranger])
    assert.match(message, /^custom\.lead must be the email address/)
  }
})
