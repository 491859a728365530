import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { type TestApp, testApp } from '#src/testing/app.ts'
import { anonymous, assertError, bodyOf, dataOf, newUser, productionWorker, signedIn } from './client.ts'
import { eventually, newBulkAction, newCompany, readBulkAction, readCompany, whenEnded } from './fixtures.ts'

/** Enough time for the service's own worker to finish. */
const WORKER_WAIT_MS = 3000
const address = ({ id }: { id: string }) => `/api/bulk-actions/${id}`

describe('3. States and transitions: Bulk action', { concurrency: true }, () => {
  test('(none), POST /api/bulk-actions with a valid body: pending; processed_companies is 0; total_companies equals the number of company_ids', async () => {
    const action = await newBulkAction(newUser(), 4)
    assert.deepEqual([action.status, action.processed_companies, action.total_companies], ['pending', 0, 4])
  })

  test('any, PATCH /api/bulk-actions/:id by the AI worker with a status: the status sent', async () => {
    const client = newUser()
    const action = await newBulkAction(client)
    const statuses = ['running', 'completed', 'running', 'pending', 'completed', 'pending', 'running']
    for (const status of [...statuses, 'failed', 'running', 'cancelled', 'completed']) {
      assert.equal((await dataOf(anonymous().patch(address(action), { status }))).status, status)
      assert.equal((await readBulkAction(client, action.id)).status, status)
    }
  })

  test('processed_companies and completed_at may be set in the same call', async () => {
    const client = newUser()
    const action = await newBulkAction(client, 2)
    const report = { status: 'completed', processed_companies: 2, completed_at: '2026-03-02T09:30:05.000Z' }
    const updated = await dataOf(newUser().patch(address(action), report))
    assert.deepEqual({ ...updated, ...report }, updated)
    const read = await readBulkAction(client, action.id)
    assert.deepEqual([read.status, read.processed_companies], ['completed', 2])
  })

  test('a status running with progress counters and failed_companies is readable while work is in progress', async () => {
    const client = newUser()
    const action = await newBulkAction(client, 4)
    const progress = { status: 'running', processed_companies: 2, failed_companies: 1 }
    await bodyOf(newUser().patch(address(action), progress))
    const read = await readBulkAction(client, action.id)
    assert.deepEqual({ ...read, ...progress }, read)
  })
})

describe('3. States and transitions: Bulk action, what the contract leaves open', {
  concurrency: true,
}, () => {
  let withoutModels: TestApp
  before(async () => {
    withoutModels = await testApp({ WORKER: 'off', LLM: 'off', EMBEDDINGS: 'off' })
  })
  after(() => withoutModels.close())

  test("the service's own worker leaves an action alone once another worker reports on it", async () => {
    const client = newUser()
    const action = await newBulkAction(client, 2)
    const report = { status: 'running', processed_companies: 0 }
    await bodyOf(newUser().patch(address(action), report))
    await sleep(WORKER_WAIT_MS)
    const read = await readBulkAction(client, action.id)
    assert.deepEqual({ ...read, ...report }, read)
  })

  test('a worker reports error_summary and failed_companies, and clears completed_at with null', async () => {
    const client = newUser()
    const action = await newBulkAction(client, 2)
    const report = {
      status: 'failed',
      processed_companies: 0,
      failed_companies: 2,
      error_summary: { timeout: { count: 2 } },
      completed_at: '2026-03-02T09:30:05.000Z',
    }
    await bodyOf(newUser().patch(address(action), report))
    const failed = await readBulkAction(client, action.id)
    assert.deepEqual({ ...failed, ...report }, failed)
    await bodyOf(newUser().patch(address(action), { status: 'running', completed_at: null }))
    const running = await readBulkAction(client, action.id)
    assert.deepEqual([running.status, running.completed_at], ['running', null])
  })

  test("the counters and the companies' states agree after a report, and counters may go down again", async () => {
    const client = newUser()
    const action = await newBulkAction(client, 5)
    for (const [processed, failed] of [
      [2, 1],
      [4, 1],
      [1, 0],
    ] as const) {
      const report = { status: 'running', processed_companies: processed, failed_companies: failed }
      await bodyOf(newUser().patch(address(action), report))
      const states = { processed, failed, pending: 5 - processed - failed }
      for (const [state, count] of Object.entries(states)) {
        const page = await bodyOf(client.get(`${address(action)}/companies?state=${state}`))
        assert.equal(page.pagination.total, count, state)
      }
    }
  })

  test('results that are already stored are kept when another worker reports', async () => {
    const client = newUser()
    const { id: companyId } = await newCompany(client)
    const body = { action_type: 'enrich_profile', company_ids: [companyId] }
    const action = await dataOf(client.post('/api/bulk-actions', body), 201)
    await whenEnded(client, action.id)
    await bodyOf(newUser().patch(address(action), { status: 'running', processed_companies: 0 }))
    assert.equal((await readBulkAction(client, action.id)).processed_companies, 0)
    assert.ok((await readCompany(client, companyId)).enriched_data)
  })

  test('counters beyond total_companies are a 400', async () => {
    const action = await newBulkAction(newUser(), 2)
    for (const report of [{ processed_companies: 3 }, { processed_companies: -1 }])
      await assertError(newUser().patch(address(action), report), 400, /processed_companies/)
  })

  test('a report of completed without counters means that all companies are processed', async () => {
    const client = newUser()
    const action = await newBulkAction(client, 3)
    await bodyOf(newUser().patch(address(action), { status: 'completed' }))
    assert.equal((await readBulkAction(client, action.id)).processed_companies, 3)
  })

  test('an unknown status is a 400 that names the known ones', async () => {
    const action = await newBulkAction(newUser())
    await assertError(
      newUser().patch(address(action), { status: 'stopped' }),
      400,
      /pending, running, completed/,
    )
  })

  for (const action_type of ['generate_embeddings', 'llm_score', 'enrich_profile'])
    test(`a valid ${action_type} is accepted as pending without a model, an index or a worker`, async () => {
      const company = await withoutModels.call('POST', '/api/companies', { name: 'Nordlys' })
      const body = { action_type, company_ids: [company.body.data.id] }
      const started = await withoutModels.call('POST', '/api/bulk-actions', body)
      assert.equal(started.status, 201, JSON.stringify(started.body))
      assert.equal(started.body.data.status, 'pending')
      const report = { status: 'completed', processed_companies: 1 }
      const reported = await withoutModels.call('PATCH', address(started.body.data), report)
      assert.equal(reported.body.data.status, 'completed')
    })

  test('in production without a model an action waits, and waiting_for says why', async () => {
    const client = await signedIn()
    const action = await newBulkAction(client, 1, { action_type: 'llm_score' })
    const { status, waiting_for } = await eventually(async () => {
      const read = await readBulkAction(client, action.id)
      return read.waiting_for && read
    })
    assert.equal(status, 'pending')
    assert.match(waiting_for, /model|LLM/)
  })

  test('in production without a model, unknown company ids are still a 400', async () => {
    const body = { action_type: 'llm_score', company_ids: ['cmp_none'] }
    await assertError((await signedIn()).post('/api/bulk-actions', body), 400, /cmp_none/)
  })

  test('in production the worker may send any status; a user may only cancel', async () => {
    const client = await signedIn()
    const worker = await productionWorker()
    // Without a model it waits, so that the service's own worker reports nothing.
    const action = await newBulkAction(client, 2, { action_type: 'llm_score' })
    for (const change of [{ status: 'running' }, { status: 'completed' }, { processed_companies: 1 }])
      await assertError(client.patch(address(action), change), 403)
    for (const status of ['completed', 'running'])
      assert.equal((await dataOf(worker.patch(address(action), { status }))).status, status)
    assert.equal((await dataOf(client.patch(address(action), { status: 'cancelled' }))).status, 'cancelled')
  })

  test("in production a user may not cancel another user's action", async () => {
    const action = await newBulkAction(await signedIn(), 1, { action_type: 'llm_score' })
    await assertError((await signedIn()).patch(address(action), { status: 'cancelled' }), 403)
  })
})
