import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { signWorkerToken } from '#src/platform/identity/identity.ts'
import { type TestApp, testApp } from '#src/testing/app.ts'
import { PRODUCTION } from '#src/testing/settings.ts'

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

test('updated_at is the time of the change, regardless of a reported completed_at', async () => {
  const id = await start()
  const completed_at = '9999-12-31T23:59:59.000Z'
  const { data } = (await patch(id, { status: 'completed', completed_at })).body
  assert.equal(data.completed_at, completed_at)
  assert.ok(Math.abs(Date.parse(data.updated_at) - Date.now()) < 60_000, data.updated_at)
})

test('in production a user who cancels an action cannot set completed_at', async () => {
  const production = await testApp({ ...PRODUCTION, LLM: 'builtin' })
  try {
    const { sessions } = production.context
    const bearer = (token: string) => ({ headers: { authorization: `Bearer ${token}` } })
    const creator = bearer(await sessions.sign({ sub: 'ada@example.com', email: 'ada@example.com' }))
    const worker = bearer(await signWorkerToken(sessions, 60))
    const company = await production.call('POST', '/api/companies', { name: 'Acme' }, creator)
    const body = { action_type: 'llm_score', company_ids: [company.body.data.id] }
    const { id } = (await production.call('POST', '/api/bulk-actions', body, creator)).body.data
    const send = (fields: object, options: object) =>
      production.call('PATCH', `/api/bulk-actions/${id}`, fields, options)
    const chosen = { status: 'cancelled', completed_at: '2020-01-01T00:00:00.000Z' }

    const refused = await send(chosen, creator)
    assert.equal(refused.status, 403)
    assert.match(refused.body.details, /^Only the worker may set completed_at\./)
    const cancelled = (await send({ status: 'cancelled', completed_at: null }, creator)).body.data
    assert.ok(Math.abs(Date.parse(cancelled.completed_at) - Date.now()) < 60_000)
    for (const fields of [chosen, { status: 'cancelled', completed_at: null }])
      assert.equal((await send(fields, creator)).status, 403, JSON.stringify(fields))
    assert.deepEqual((await send(cancelled, creator)).body.data, cancelled)
    assert.equal((await send(chosen, worker)).body.data.completed_at, chosen.completed_at)
  } finally {
    await production.close()
  }
})

const kinds = (count: number) =>
  Object.fromEntries(Array.from({ length: count }, (_value, n) => [`k${n}`, 1]))
/** An error summary with this many bytes of JSON. */
const sized = (bytes: number) => ({ k: 'x'.repeat(bytes - '{"k":""}'.length) })

test('error_summary is limited to 64 kinds and 16 KB of JSON', async () => {
  const id = await start()
  for (const error_summary of [kinds(64), sized(16_384)])
    assert.deepEqual((await patch(id, { error_summary })).body.data.error_summary, error_summary)
  for (const [error_summary, message] of [
    [kinds(65), /^error_summary must have at most 64 kinds, not 65\.$/],
    [sized(16_385), /^error_summary must be at most 16384 bytes of JSON, not 16385\.$/],
    [{ k: 'é'.repeat(10_000) }, /not 20008\.$/],
  ] as const) {
    const { status, body } = await patch(id, { error_summary })
    assert.equal(status, 400)
    assert.match(body.details, message)
  }
})

test("the included worker's error_summary may be sent back even if it is over the limit", async () => {
  const company_ids: string[] = []
  for (let n = 0; n < 65; n++)
    company_ids.push((await api.call('POST', '/api/companies', { name: `Company ${n}` })).body.data.id)
  const started = await api.call('POST', '/api/bulk-actions', { action_type: 'llm_score', company_ids })
  const { id } = started.body.data
  const results = company_ids.map((company_id, n) => ({
    company_id,
    error: { kind: `kind ${n}`, message: 'No.' },
  }))
  const headers = { authorization: `Bearer ${await signWorkerToken(api.context.sessions, 60)}` }
  const failed = await api.call('POST', `/api/bulk-actions/${id}/results`, { results }, { headers })
  const record = failed.body.data
  assert.equal(Object.keys(record.error_summary).length, 65)
  assert.equal((await patch(id, { ...record, status: 'completed' })).status, 200)
})

test('a retry with a JSON content type needs no body', async () => {
  const headers = { 'content-type': 'application/json', 'x-user-email': 'ada@example.com' }
  for (const payload of [undefined, '', '{}']) {
    const id = await start()
    await patch(id, { status: 'failed', failed_companies: 1 })
    const url = `/api/bulk-actions/${id}/retry`
    const answer = await api.app.inject({
      method: 'POST',
      url,
      headers,
      ...(payload !== undefined && { payload }),
    })
    assert.equal(answer.statusCode, 200, answer.body)
  }
  const malformed = { method: 'POST', url: '/api/bulk-actions/ba_none/retry', headers, payload: '{' } as const
  assert.equal((await api.app.inject(malformed)).statusCode, 400)
})

test('action types, statuses and states are accepted in any spelling', async () => {
  const id = await start('LLM Score')
  assert.equal((await patch(id, { status: 'Completed' })).body.data.status, 'completed')
  const ids = (answer: { body: { data: { id: string }[] } }) => answer.body.data.map((action) => action.id)
  assert.ok(ids(await api.call('GET', '/api/bulk-actions?status=COMPLETED')).includes(id))
  const processed = await api.call('GET', `/api/bulk-actions/${id}/companies?state=Processed`)
  assert.equal(processed.body.pagination.total, 1)
  for (const [answer, name] of [
    [await patch(id, { status: 'Half Done' }), 'status'],
    [await api.call('GET', '/api/bulk-actions?status=Paused'), 'status'],
    [await api.call('GET', `/api/bulk-actions/${id}/companies?state=Lost`), 'state'],
    [
      await api.call('POST', '/api/bulk-actions', { action_type: 'Make Coffee', company_ids: [company_id] }),
      'action_type',
    ],
  ] as const) {
    assert.equal(answer.status, 400)
    assert.match(answer.body.details, new RegExp(`${name} must be one of`))
  }
})
