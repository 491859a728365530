import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { signWorkerToken } from '#src/platform/identity/worker-token.ts'
import { type Answer, type TestApp, testApp } from '#src/testing/app.ts'
import { userWithRole } from '#src/testing/credentials.ts'
import { PRODUCTION } from '#src/testing/settings.ts'
import { type BulkAction, STATUSES } from './schema.ts'
import type { Result } from './work-schema.ts'

let api: TestApp
let companies: string[]
/** The credential of the included worker. */
let worker: { authorization: string }
before(async () => {
  api = await testApp()
  worker = await workerOf(api)
  companies = await createCompanies(api, 5)
})
after(() => api.close())

const workerOf = async ({ context }: TestApp) => ({
  authorization: `Bearer ${await signWorkerToken(context.sessions, 3600)}`,
})

async function createCompanies(app: TestApp, count: number, options?: object): Promise<string[]> {
  const ids: string[] = []
  for (let n = 0; n < count; n++)
    ids.push((await app.call('POST', '/api/companies', { name: `Company ${n}` }, options)).body.data.id)
  return ids
}

async function start(fields: object = {}): Promise<string> {
  const body = { action_type: 'llm_score', company_ids: companies, ...fields }
  const answer = await api.call('POST', '/api/bulk-actions', body)
  assert.equal(answer.status, 201, JSON.stringify(answer.body))
  return answer.body.data.id
}

/** Sends no credential, like the contract's worker in development. */
const patch = (id: string, body: object): Promise<Answer> =>
  api.call('PATCH', `/api/bulk-actions/${id}`, body, { headers: {} })

async function report(id: string, body: object): Promise<BulkAction> {
  const answer = await patch(id, body)
  assert.equal(answer.status, 200, JSON.stringify(answer.body))
  await assertCountersMatchRows(answer.body.data)
  return answer.body.data
}

/** Fails unless the counters match the companies' rows. */
async function assertCountersMatchRows({
  id,
  total_companies,
  processed_companies,
  failed_companies,
}: BulkAction) {
  const pending = total_companies - processed_companies - failed_companies
  assert.deepEqual(await statesOf(id), { processed: processed_companies, failed: failed_companies, pending })
}

async function statesOf(id: string) {
  const totalOf = async (state: string): Promise<number> =>
    (await api.call('GET', `/api/bulk-actions/${id}/companies?state=${state}`)).body.pagination.total
  return {
    processed: await totalOf('processed'),
    failed: await totalOf('failed'),
    pending: await totalOf('pending'),
  }
}

const read = async (id: string): Promise<BulkAction> =>
  (await api.call('GET', `/api/bulk-actions/${id}`)).body.data

const reportResults = (id: string, results: Result[]) =>
  api.call('POST', `/api/bulk-actions/${id}/results`, { results }, { headers: worker })

const workOf = async (id: string) =>
  (
    await api.call('GET', `/api/bulk-actions/${id}/work?company_ids=${companies.join()}`, undefined, {
      headers: worker,
    })
  ).body.data

const processed = (company_id: string): Result => ({ company_id })
const failed = (company_id: string): Result => ({
  company_id,
  error: { kind: 'refused', message: 'refused: invalid' },
})

const countersOf = ({ status, total_companies, processed_companies, failed_companies }: BulkAction) => [
  status,
  total_companies,
  processed_companies,
  failed_companies,
]

test('a worker that only uses PATCH reports progress and completion', async () => {
  const id = await start()
  const running = await report(id, { status: 'running', processed_companies: 2 })
  assert.deepEqual(countersOf(running), ['running', 5, 2, 0])
  assert.deepEqual([running.external_worker, running.completed_at], [true, null])
  const completed_at = '2026-03-02T09:30:05.000Z'
  const completed = await report(id, { status: 'completed', processed_companies: 5, completed_at })
  assert.deepEqual(countersOf(completed), ['completed', 5, 5, 0])
  assert.equal(completed.completed_at, completed_at)
  assert.deepEqual(await read(id), completed)
  const { data } = (await api.call('GET', `/api/activity?entity_id=${id}`)).body
  assert.equal(data[0].activity_type, 'bulk_action_completed')
  assert.equal((await patch('ba_none', { status: 'running' })).status, 404)
})

test('a report sets its status from any state', async () => {
  const id = await start()
  for (const from of STATUSES)
    for (const to of STATUSES) {
      await report(id, { status: from })
      const { status, completed_at } = await report(id, { status: to })
      assert.equal(status, to, `${from} to ${to}`)
      assert.equal(completed_at !== null, ['completed', 'failed', 'cancelled'].includes(to), to)
    }
})

test('completed_at may be null, and is cleared when the action continues', async () => {
  const id = await start()
  assert.notEqual((await report(id, { status: 'completed' })).completed_at, null)
  assert.equal((await report(id, { status: 'running' })).completed_at, null)
  assert.equal((await report(id, { status: 'completed', completed_at: null })).completed_at, null)
  const completed_at = '2026-03-02T09:30:05.000Z'
  assert.equal((await report(id, { completed_at })).completed_at, completed_at)
  assert.equal((await report(id, { status: 'pending', completed_at: null })).completed_at, null)
})

test('a report without processed_companies completes all companies that have not failed', async () => {
  assert.deepEqual(countersOf(await report(await start(), { status: 'completed' })), ['completed', 5, 5, 0])
  const id = await start()
  await report(id, { failed_companies: 2 })
  assert.deepEqual(countersOf(await report(id, { status: 'completed' })), ['completed', 5, 3, 2])
})

test('a reported counter stays until it is reported again', async () => {
  const id = await start()
  await report(id, { status: 'running', processed_companies: 3 })
  assert.deepEqual(countersOf(await report(id, { status: 'completed' })), ['completed', 5, 3, 0])
  assert.deepEqual(countersOf(await report(id, { failed_companies: 1 })), ['completed', 5, 3, 1])
  assert.deepEqual(countersOf(await report(id, { processed_companies: 1 })), ['completed', 5, 1, 1])
})

test('a worker that counts attempts may report failures as part of them', async () => {
  const id = await start()
  await report(id, { status: 'running', processed_companies: 1, failed_companies: 1 })
  const attempted = { processed_companies: 5, failed_companies: 2 }
  for (const body of [attempted, attempted, { ...attempted, status: 'completed' }])
    assert.deepEqual(countersOf(await report(id, body)).slice(1), [5, 3, 2])
  assert.deepEqual(countersOf(await report(id, { status: 'completed' })).slice(1), [5, 3, 2])
  assert.deepEqual(countersOf(await report(id, { failed_companies: 3 })).slice(1), [5, 2, 3])
  assert.deepEqual(countersOf(await report(id, { processed_companies: 5 })).slice(1), [5, 2, 3])
  const all = { processed_companies: 5, failed_companies: 5 }
  assert.deepEqual(countersOf(await report(id, all)).slice(1), [5, 0, 5])
  assert.deepEqual(countersOf(await report(id, { processed_companies: 3 })).slice(1), [5, 0, 5])
})

test('a report that contradicts itself is rejected and changes nothing', async () => {
  const id = await start()
  const before = await report(id, { status: 'running', processed_companies: 2, failed_companies: 1 })
  for (const [body, message] of [
    [{ processed_companies: 6 }, /^processed_companies must be at most total_companies, which is 5, not 6\./],
    [{ failed_companies: 6 }, /^failed_companies must be at most total_companies, which is 5, not 6\./],
    [
      { processed_companies: 2, failed_companies: 4 },
      /^failed_companies must be part of processed_companies.*: they are 2 and 4 of 5\./,
    ],
    [{ processed_companies: -1 }, /processed_companies/],
    [{ status: 'paused' }, /status must be one of/],
    [{}, /at least one field/],
    [{ completed_at: 'soon' }, /completed_at/],
    [{ completed_at: '2026-03-02T09:30:05.000Z' }, /completed_at must come with a status that ends/],
  ] as const) {
    const answer = await patch(id, body)
    assert.equal(answer.status, 400, JSON.stringify(body))
    assert.match(answer.body.details, message)
  }
  assert.deepEqual(await read(id), before)
})

test('the first report wins over the counters of the included worker and keeps those that still fit', async () => {
  const [one = '', two = '', three = '', four = ''] = companies
  const begin = async () => {
    const id = await start()
    await reportResults(id, [processed(one), processed(two), failed(three)])
    return id
  }
  const companiesIn = async (id: string, state: string) =>
    (await api.call('GET', `/api/bulk-actions/${id}/companies?state=${state}`)).body.data.map(
      ({ company_id }: { company_id: string }) => company_id,
    )
  const more = await begin()
  const some = await report(more, { status: 'running', processed_companies: 3 })
  assert.deepEqual(countersOf(some), ['running', 5, 3, 1])
  assert.deepEqual(await companiesIn(more, 'processed'), [one, two, four].sort())
  assert.equal((some.error_summary as { refused: { count: number } }).refused.count, 1)
  const all = await begin()
  const completed = await report(all, { status: 'completed', processed_companies: 5 })
  assert.deepEqual([...countersOf(completed), completed.error_summary], ['completed', 5, 5, 0, {}])
  const none = await begin()
  assert.deepEqual(countersOf(await report(none, { status: 'failed', failed_companies: 5 })), [
    'failed',
    5,
    0,
    5,
  ])
  const fewer = await begin()
  await report(fewer, { processed_companies: 1 })
  assert.deepEqual(
    [await companiesIn(fewer, 'processed'), await companiesIn(fewer, 'failed')],
    [[one], [three]],
  )
})

test('companies failed by a counter have an error that says so; a reported error_summary stays', async () => {
  const id = await start()
  const counted = await report(id, { status: 'failed', failed_companies: 2 })
  assert.equal((counted.error_summary as { reported: { count: number } }).reported.count, 2)
  const { data } = (await api.call('GET', `/api/bulk-actions/${id}/companies?state=failed`)).body
  assert.match(data[0].error, /reported only the number of failed companies/)
  const error_summary = { timeout: 3 }
  await report(id, { failed_companies: 3, error_summary })
  assert.deepEqual((await report(id, { failed_companies: 4 })).error_summary, error_summary)
})

test('the included worker gets no work from a reported action, and its results are ignored', async () => {
  const [one = '', two = ''] = companies
  const id = await start()
  assert.equal((await workOf(id)).company_ids.length, 5)
  await reportResults(id, [processed(one)])
  const reported = await report(id, { status: 'running' })
  assert.deepEqual(countersOf(reported), ['running', 5, 1, 0])
  assert.deepEqual((await workOf(id)).company_ids, [])
  const { status, body } = await reportResults(id, [processed(two)])
  assert.equal(status, 200)
  assert.deepEqual(body.data, reported)
  const wait = { results: [], waiting_for: 'The language model cannot be reached.' }
  const waits = await api.call('POST', `/api/bulk-actions/${id}/results`, wait, { headers: worker })
  assert.deepEqual(waits.body.data, reported)
})

test('a report wins over concurrent results, and the counters match the rows', async () => {
  for (let tries = 0; tries < 20; tries++) {
    const id = await start()
    const [results] = await Promise.all([
      reportResults(id, companies.map(processed)),
      patch(id, { status: 'failed', processed_companies: 1, failed_companies: 2 }),
    ])
    assert.equal(results.status, 200)
    const action = await read(id)
    assert.deepEqual([...countersOf(action), action.external_worker], ['failed', 5, 1, 2, true])
    await assertCountersMatchRows(action)
  }
})

test('a retry gives the remaining companies to the included worker', async () => {
  const id = await start()
  await report(id, { status: 'completed', processed_companies: 2, failed_companies: 1 })
  const retried = await api.call('POST', `/api/bulk-actions/${id}/retry`)
  assert.equal(retried.status, 200)
  assert.deepEqual(countersOf(retried.body.data), ['running', 5, 2, 0])
  assert.deepEqual([retried.body.data.external_worker, retried.body.data.completed_at], [false, null])
  const { company_ids } = await workOf(id)
  assert.equal(company_ids.length, 3)
  const ended = (await reportResults(id, company_ids.map(processed))).body.data
  assert.deepEqual(countersOf(ended), ['completed', 5, 5, 0])
  await assertCountersMatchRows(ended)
  assert.equal((await api.call('POST', `/api/bulk-actions/${id}/retry`)).status, 409)
})

test('a cancellation, waiting_for and token_budget are not reports', async () => {
  const id = await start({ token_budget: 1000 })
  for (const body of [{ token_budget: 2000 }, { waiting_for: 'A GPU.' }])
    assert.equal((await report(id, body)).external_worker, false, JSON.stringify(body))
  assert.equal((await report(id, { ...(await read(id)), token_budget: 3000 })).external_worker, false)
  assert.equal((await workOf(id)).company_ids.length, 5)
  const cancelled = await report(id, { ...(await read(id)), status: 'cancelled' })
  assert.deepEqual([cancelled.status, cancelled.external_worker], ['cancelled', false])
  assert.notEqual(cancelled.completed_at, null)
})

test('in production only the worker reports; the user may cancel their action and set its budget', async () => {
  const production = await testApp({ ...PRODUCTION, LLM: 'builtin' })
  try {
    const asUser = async (email: string) => ({
      headers: { authorization: `Bearer ${await production.context.sessions.sign({ sub: email, email })}` },
    })
    const creator = await asUser('ada@example.com')
    const asWorker = { headers: await workerOf(production) }
    const company_ids = await createCompanies(production, 2, creator)
    const body = { action_type: 'llm_score', company_ids }
    const { data } = (await production.call('POST', '/api/bulk-actions', body, creator)).body
    const send = (fields: object, options: object) =>
      production.call('PATCH', `/api/bulk-actions/${data.id}`, fields, options)

    const other = await asUser('eve@example.com')
    assert.equal((await send({ status: 'cancelled' }, other)).status, 403)
    assert.equal((await send({ status: 'cancelled' }, { headers: {} })).status, 401)
    await userWithRole(production, 'root@example.com', 'admin')
    const admin = await asUser('root@example.com')
    for (const fields of [
      { token_budget: 5 },
      { status: 'completed' },
      { status: 'cancelled', token_budget: 5 },
    ])
      assert.equal((await send(fields, admin)).status, 403, JSON.stringify(fields))
    const second = (await production.call('POST', '/api/bulk-actions', body, creator)).body.data
    const cancel = (fields: object) =>
      production.call('PATCH', `/api/bulk-actions/${second.id}`, { ...fields, status: 'cancelled' }, admin)
    assert.equal((await cancel(second)).body.data?.status, 'cancelled')
    for (const fields of [
      { status: 'running' },
      { status: 'completed', processed_companies: 2 },
      { processed_companies: 1 },
      { failed_companies: 1 },
      { error_summary: { timeout: 1 } },
      { waiting_for: 'A GPU.' },
      { status: 'cancelled', processed_companies: 1 },
    ]) {
      const refused = await send(fields, creator)
      assert.equal(refused.status, 403, JSON.stringify(fields))
      assert.match(refused.body.details, /^Only the worker may set \w+.* You can cancel the action/)
    }
    assert.equal((await send({ token_budget: 5000 }, creator)).body.data.token_budget, 5000)

    const running = await send({ status: 'running', processed_companies: 1 }, asWorker)
    assert.deepEqual(countersOf(running.body.data), ['running', 2, 1, 0])
    // The creator's copy is from before the report.
    const stale = await send({ ...data, token_budget: 6000 }, creator)
    assert.equal(stale.status, 200, stale.body.details)
    assert.deepEqual(
      [...countersOf(stale.body.data), stale.body.data.token_budget],
      ['running', 2, 1, 0, 6000],
    )
    const { processed_companies, failed_companies, error_summary, completed_at } = running.body.data
    const readOnlyFields = { processed_companies, failed_companies, error_summary, completed_at }
    const cancelled = await send({ ...readOnlyFields, status: 'cancelled' }, creator)
    assert.deepEqual(countersOf(cancelled.body.data), ['cancelled', 2, 1, 0])
    const completed = await send({ status: 'completed', processed_companies: 2 }, asWorker)
    assert.deepEqual(countersOf(completed.body.data), ['completed', 2, 2, 0])
    const late = await send({ status: 'cancelled' }, creator)
    assert.equal(late.status, 400)
    assert.match(late.body.details, /status must stay completed: the action has ended/)
  } finally {
    await production.close()
  }
})
