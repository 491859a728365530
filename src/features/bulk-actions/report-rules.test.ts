import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type TestApp, testApp } from '#src/testing.ts'

let api: TestApp
let company_id: string
before(async () => {
  api = await testApp({ WORKER: 'off' })
  company_id = (await api.call('POST', '/api/companies', { name: 'Acme' })).body.data.id
})
after(() => api.close())

async function start(action_type = 'llm_score'): Promise<string> {
  const { status, body } = await api.call('POST', '/api/bulk-actions', {
    action_type,
    company_ids: [company_id],
  })
  assert.equal(status, 201, JSON.stringify(body))
  return body.data.id
}

const patch = (id: string, body: object) => api.call('PATCH', `/api/bulk-actions/${id}`, body)

test('updated_at is the time of the change, whatever completed_at a report names', async () => {
  const id = await start()
  const completed_at = '9999-12-31T23:59:59.000Z'
  const { data } = (await patch(id, { status: 'completed', completed_at })).body
  assert.equal(data.completed_at, completed_at)
  assert.ok(Math.abs(Date.parse(data.updated_at) - Date.now()) < 60_000, data.updated_at)
})
