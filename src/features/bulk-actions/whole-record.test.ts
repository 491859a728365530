import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type TestApp, testApp } from '#src/testing/app.ts'
import type { BulkAction } from './schema.ts'

let api: TestApp
let company_ids: string[]
before(async () => {
  api = await testApp({ WORKER: 'off' })
  company_ids = []
  for (const name of ['Acme', 'Nordlys', 'Looms'])
    company_ids.push((await api.call('POST', '/api/companies', { name })).body.data.id)
})
after(() => api.close())

async function start(): Promise<BulkAction> {
  const { status, body } = await api.call('POST', '/api/bulk-actions', {
    action_type: 'llm_score',
    company_ids,
  })
  assert.equal(status, 201, JSON.stringify(body))
  return body.data
}

async function patch(id: string, body: object): Promise<BulkAction> {
  const answer = await api.call('PATCH', `/api/bulk-actions/${id}`, body)
  assert.equal(answer.status, 200, JSON.stringify(answer.body))
  return answer.body.data
}

const countersOf = ({ status, processed_companies, failed_companies }: BulkAction) => [
  status,
  processed_companies,
  failed_companies,
]

test('sending back a whole record as completed processes all companies and ends the action', async () => {
  const record = await start()
  const completed = await patch(record.id, { ...record, status: 'completed' })
  assert.deepEqual(countersOf(completed), ['completed', 3, 0])
  assert.notEqual(completed.completed_at, null)
})

test('unchanged counters in a whole record do not count as reported', async () => {
  const record = await start()
  const running = await patch(record.id, { ...record, status: 'running' })
  assert.deepEqual([...countersOf(running), running.external_worker], ['running', 0, 0, true])
  assert.deepEqual(countersOf(await patch(record.id, { status: 'completed' })), ['completed', 3, 0])
})

test('an unchanged error_summary in a whole record does not count as reported', async () => {
  const record = await start()
  await patch(record.id, { ...record, status: 'running' })
  const { error_summary } = await patch(record.id, { failed_companies: 2 })
  assert.equal((error_summary as { reported?: { count: number } }).reported?.count, 2)
})

test('changed counters in a whole record count as reported', async () => {
  const record = await start()
  const changed = await patch(record.id, { ...record, status: 'running', processed_companies: 1 })
  assert.deepEqual(countersOf(changed), ['running', 1, 0])
  assert.deepEqual(countersOf(await patch(record.id, { status: 'completed' })), ['completed', 1, 0])
})

test("a whole record keeps an external worker's waiting_for, and completed_at of an ended action", async () => {
  const { id } = await start()
  const waiting = await patch(id, { status: 'running', waiting_for: 'A GPU.' })
  const counted = await patch(id, { ...waiting, processed_companies: 1 })
  assert.deepEqual([counted.waiting_for, counted.processed_companies], ['A GPU.', 1])
  const ended = await patch(id, { status: 'completed', completed_at: '2026-03-02T09:30:05.000Z' })
  const recounted = await patch(id, { ...ended, processed_companies: 2 })
  assert.deepEqual([recounted.completed_at, recounted.processed_companies], [ended.completed_at, 2])
  const cleared = await patch(id, { ...recounted, completed_at: null })
  assert.deepEqual([cleared.status, cleared.completed_at], ['completed', null])
})

test('a body without read-only fields is a report', async () => {
  for (const others of [{}, { token_budget: null }, { token_budget: 1000 }, { waiting_for: null }]) {
    const { id } = await start()
    const counted = await patch(id, { processed_companies: 0, ...others })
    assert.equal(counted.external_worker, true, JSON.stringify(others))
    const completed = await patch(id, { status: 'completed', completed_at: null })
    assert.deepEqual([...countersOf(completed), completed.completed_at], ['completed', 0, 0, null])
  }
})

test('a PATCH without changes does not change updated_at', async () => {
  const record = await start()
  for (const body of [record, { token_budget: null }, { waiting_for: null }, { id: record.id }])
    assert.deepEqual(await patch(record.id, body), record)
  const ended = await patch(record.id, { status: 'completed' })
  assert.deepEqual(await patch(record.id, ended), ended)
})
