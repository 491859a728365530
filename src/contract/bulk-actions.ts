import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { anonymous, assertError, bodyOf, dataOf, newUser } from './client.ts'
import {
  newBulkAction,
  newCompanies,
  newCompany,
  readBulkAction,
  readCompany,
  whenEnded,
} from './fixtures.ts'

const ACTION_TYPES = ['generate_embeddings', 'llm_score', 'enrich_profile']

describe('2. Resources and their fields: Bulk action', () => {
  test('id: string, prefix ba_; error_summary: object; status: string', async () => {
    const client = newUser()
    const { id } = await newBulkAction(client)
    const action = await readBulkAction(client, id)
    assert.match(action.id, /^ba_\w+$/)
    assert.equal(Object.prototype.toString.call(action.error_summary), '[object Object]')
    assert.ok(['pending', 'running', 'completed'].includes(action.status), action.status)
  })

  test('action_type: enum generate_embeddings, llm_score, enrich_profile', async () => {
    const client = newUser()
    const { id } = await newCompany(client)
    const body = { action_type: 'send_email', company_ids: [id] }
    await assertError(client.post('/api/bulk-actions', body), 400, new RegExp(ACTION_TYPES.join(', ')))
  })

  test('priority: integer, 10 to 95', async () => {
    const client = newUser()
    for (const priority_override of [10, 95])
      assert.equal((await newBulkAction(client, 1, { priority_override })).priority, priority_override)
    const company_ids = [(await newCompany(client)).id]
    for (const priority_override of [9, 96, 50.5, '50']) {
      const body = { action_type: 'llm_score', company_ids, priority_override }
      await assertError(client.post('/api/bulk-actions', body), 400, /priority_override/)
    }
  })

  test('completed_at: string, ISO 8601 UTC', async () => {
    const client = newUser()
    const { id } = await newBulkAction(client)
    const { completed_at } = await whenEnded(client, id)
    assert.match(completed_at, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/)
  })
})

describe('4. Endpoints: Bulk actions', { concurrency: true }, () => {
  test('POST /api/bulk-actions: {data: {id, action_type, status, total_companies, processed_companies, priority}}', async () => {
    const action = await newBulkAction(newUser(), 3, { priority_override: 80 })
    const { action_type, status, total_companies, processed_companies, priority } = action
    assert.match(action.id, /^ba_/)
    assert.deepEqual(
      { action_type, status, total_companies, processed_companies, priority },
      {
        action_type: 'generate_embeddings',
        status: 'pending',
        total_companies: 3,
        processed_companies: 0,
        priority: 80,
      },
    )
  })

  test('GET /api/bulk-actions: bulk actions of the current user', async () => {
    const [one, other] = [newUser(), newUser()]
    const { id } = await newBulkAction(one)
    await newBulkAction(other)
    const listed = await dataOf(one.get('/api/bulk-actions'))
    assert.deepEqual(
      listed.map((action: { id: string }) => action.id),
      [id],
    )
  })

  test('GET /api/bulk-actions/:id: {data: {id, status, total_companies, processed_companies, failed_companies, error_summary}}', async () => {
    const client = newUser()
    const { id } = await newBulkAction(client, 2)
    const { status, total_companies, processed_companies, failed_companies, error_summary } = await whenEnded(
      client,
      id,
    )
    assert.deepEqual(
      { status, total_companies, processed_companies, failed_companies, error_summary },
      {
        status: 'completed',
        total_companies: 2,
        processed_companies: 2,
        failed_companies: 0,
        error_summary: {},
      },
    )
  })

  for (const action_type of ACTION_TYPES)
    test(`${action_type} completes with default settings`, async () => {
      const client = newUser()
      const { id } = await newBulkAction(client, 2, { action_type })
      const { status, processed_companies } = await whenEnded(client, id)
      assert.deepEqual([status, processed_companies], ['completed', 2])
    })
})

describe('4. Endpoints: Bulk actions, what the contract leaves open', { concurrency: true }, () => {
  test('the list has pagination like every list; the default limit is 1,000, newest first', async () => {
    const client = newUser()
    const first = await newBulkAction(client)
    const second = await newBulkAction(client)
    const { data, pagination } = await bodyOf(client.get('/api/bulk-actions'))
    assert.deepEqual(
      data.map(({ id }: { id: string }) => id),
      [second.id, first.id],
    )
    assert.deepEqual(pagination, { total: 2, limit: 1000, offset: 0, hasMore: false })
  })

  test('the list without a user is a 401', async () => {
    await assertError(anonymous().get('/api/bulk-actions'), 401)
  })

  test('any user may read a bulk action by its id', async () => {
    const { id } = await newBulkAction(newUser())
    assert.equal((await readBulkAction(newUser(), id)).id, id)
  })

  test('the default priority is 50', async () => {
    assert.equal((await newBulkAction(newUser())).priority, 50)
  })

  test('duplicate company_ids count once', async () => {
    const client = newUser()
    const [one, other] = (await newCompanies(client, 2)).map(({ id }) => id)
    const body = { action_type: 'generate_embeddings', company_ids: [one, other, one, one] }
    const { id, total_companies } = await dataOf(client.post('/api/bulk-actions', body), 201)
    assert.equal(total_companies, 2)
    assert.equal((await whenEnded(client, id)).processed_companies, 2)
  })

  test('an action has 1 to 10,000 company_ids', async () => {
    const client = newUser()
    for (const company_ids of [[], Array.from({ length: 10_001 }, (_value, n) => `cmp_${n}`)]) {
      const body = { action_type: 'generate_embeddings', company_ids }
      await assertError(client.post('/api/bulk-actions', body), 400, /company_ids/)
    }
  })

  test('an unknown bulk action is a 404', async () => {
    await assertError(newUser().get('/api/bulk-actions/ba_none'), 404, /ba_none/)
    await assertError(newUser().patch('/api/bulk-actions/ba_none', { status: 'running' }), 404, /ba_none/)
  })

  test('with default settings a score says that rules made it', async () => {
    const client = newUser()
    const { id } = await newCompany(client, { activity_description: 'Picking robots with 20 customers.' })
    const body = { action_type: 'llm_score', company_ids: [id] }
    const action = await dataOf(client.post('/api/bulk-actions', body), 201)
    await whenEnded(client, action.id)
    const { llm_score_overall, llm_score_details } = await readCompany(client, id)
    assert.ok(Number.isInteger(llm_score_overall) && llm_score_overall >= 0 && llm_score_overall <= 100)
    assert.match(llm_score_details.model, /builtin|rules/)
  })

  test('with default settings a profile says that rules made it', async () => {
    const client = newUser()
    const { id } = await newCompany(client, { activity_description: 'Picking robots.' })
    const body = { action_type: 'enrich_profile', company_ids: [id] }
    const action = await dataOf(client.post('/api/bulk-actions', body), 201)
    await whenEnded(client, action.id)
    assert.match((await readCompany(client, id)).enriched_data.model, /builtin|rules/)
  })
})
