import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { signWorkerToken } from '#src/platform/identity/worker-token.ts'
import { documentWeights } from '#src/platform/lexical.ts'
import { type TestApp, testApp } from '#src/testing/app.ts'
import { eventually } from '#src/testing/eventually.ts'
import { ada } from '#src/testing/settings.ts'
import type { BulkAction } from './schema.ts'
import type { Result } from './work-schema.ts'

let api: TestApp
let worker: { authorization: string }
let companies: string[]
before(async () => {
  api = await testApp()
  worker = await workerOf(api)
  companies = []
  for (let n = 0; n < 12; n++)
    companies.push(
      (
        await api.call('POST', '/api/companies', {
          name: `Company ${n}`,
          activity_description: `Robots ${n}`,
        })
      ).body.data.id,
    )
})
after(() => api.close())

const workerOf = async ({ context }: TestApp) => ({
  authorization: `Bearer ${await signWorkerToken(context.sessions, 3600)}`,
})

async function start(company_ids = companies, fields: object = {}): Promise<BulkAction> {
  const action = { action_type: 'generate_embeddings', company_ids, ...fields }
  const { status, body } = await api.call('POST', '/api/bulk-actions', action)
  assert.equal(status, 201, JSON.stringify(body))
  return body.data
}

async function reportResults(id: string, results: Result[]) {
  return api.call('POST', `/api/bulk-actions/${id}/results`, { results }, { headers: worker })
}

async function read(id: string): Promise<BulkAction> {
  return (await api.call('GET', `/api/bulk-actions/${id}`)).body.data
}

const processed = (company_id: string): Result => ({ company_id })
const failed = (company_id: string, kind = 'refused'): Result => ({
  company_id,
  error: { kind, message: `${kind}: invalid` },
})

function countersOf({ status, total_companies, processed_companies, failed_companies }: BulkAction) {
  return [status, total_companies, processed_companies, failed_companies]
}

test('a new action is pending and has its record and jobs', async () => {
  const action = await start(companies, { priority_override: 95 })
  assert.deepEqual(countersOf(action), ['pending', 12, 0, 0])
  assert.deepEqual([action.priority, action.user_email, action.error_summary], [95, ada, {}])
  assert.equal((await start()).priority, 50)
  const { data } = (await api.call('GET', `/api/activity?entity_id=${action.id}`)).body
  assert.deepEqual(
    [data[0].activity_type, data[0].metadata],
    ['bulk_action_created', { action_type: 'generate_embeddings', total_companies: 12, priority: 95 }],
  )
  const job = await api.context.bulkQueues.generate_embeddings.fetch()
  assert.deepEqual(job?.data, { bulk_action_id: action.id, company_ids: companies, attempt: 1 })
  if (job) await api.context.bulkQueues.generate_embeddings.complete(job)
})

test('the error for an invalid action names the field, and nothing is written', async () => {
  const before = (await api.call('GET', '/api/bulk-actions')).body.pagination.total
  const [one = '', two = ''] = companies
  const wrong: [object, RegExp][] = [
    [{ company_ids: [] }, /company_ids/],
    [{ company_ids: undefined }, /company_ids is required/],
    [
      { company_ids: [one, 'cmp_none', two, 'cmp_nil'] },
      /none has the id cmp_none or cmp_nil. POST \/api\/companies creates one\.$/,
    ],
    [
      { action_type: 'llm_score', thesis_id: 'th_none' },
      /none has the id th_none. POST \/api\/theses creates one\.$/,
    ],
    [{ company_ids: Array.from({ length: 10_001 }, (_value, n) => `cmp_${n}`) }, /company_ids.*10000/],
    [{ action_type: 'make_coffee' }, /action_type must be one of generate_embeddings/],
    [{ priority_override: 9 }, /priority_override must be a whole number from 10 to 95 or null, not 9/],
    [{ priority_override: 96 }, /priority_override/],
    [{ priority_override: 50.5 }, /priority_override/],
    [{ priority_override: '50' }, /priority_override/],
    [{ priority: 50 }, /priority is not a known field/],
    [{ thesis_id: 'th_none' }, /thesis_id can only be used with llm_score, not with generate_embeddings/],
    [{ token_budget: 1000 }, /token_budget can only be used with llm_score and enrich_profile/],
    [{ force: 'yes' }, /force must be/],
  ]
  for (const [fields, message] of wrong) {
    const body = { action_type: 'generate_embeddings', company_ids: [one], ...fields }
    const answer = await api.call('POST', '/api/bulk-actions', body)
    assert.equal(answer.status, 400, JSON.stringify(fields).slice(0, 200))
    assert.match(answer.body.details, message)
  }
  assert.equal((await api.call('GET', '/api/bulk-actions')).body.pagination.total, before)
  assert.equal(await hasJobs(), true)
})

/** Only the jobs of the second action of the first test are in the queue. */
async function hasJobs(): Promise<boolean> {
  const job = await api.context.bulkQueues.generate_embeddings.fetch()
  if (job) await api.context.bulkQueues.generate_embeddings.complete(job)
  return job !== undefined && (await api.context.bulkQueues.generate_embeddings.fetch()) === undefined
}

test('duplicate companies count once', async () => {
  const [one = '', two = ''] = companies
  const { id, total_companies } = await start([one, two, one, one])
  assert.equal(total_companies, 2)
  assert.deepEqual(countersOf((await reportResults(id, [one, two].map(processed))).body.data), [
    'completed',
    2,
    2,
    0,
  ])
  assert.equal((await start([...new Array(10_000).fill(one), two])).total_companies, 2)
})

test('results update counters and status, and errors are counted by kind', async () => {
  const { id } = await start()
  const [one = '', two = '', three = '', ...others] = companies
  await reportResults(id, [processed(one), failed(two), failed(three, 'unavailable')])
  const running = await read(id)
  assert.deepEqual(countersOf(running), ['running', 12, 1, 2])
  assert.equal(running.completed_at, null)
  assert.deepEqual(running.error_summary, {
    refused: { count: 1, example: { company_id: two, message: 'refused: invalid' } },
    unavailable: { count: 1, example: { company_id: three, message: 'unavailable: invalid' } },
  })
  const { body } = await reportResults(id, [...others.slice(1).map(processed), failed(others[0] ?? '')])
  assert.deepEqual(countersOf(body.data), ['completed', 12, 9, 3])
  assert.ok(body.data.completed_at)
  assert.equal(body.data.error_summary.refused.count, 2)
  const list = await api.call('GET', `/api/bulk-actions/${id}/companies?state=failed`)
  assert.equal(list.body.pagination.total, 3)
  assert.deepEqual(
    list.body.data.map((row: { error_kind: string; attempts: number; name: string }) => [
      row.error_kind,
      row.attempts,
    ]),
    [two, three, others[0]].sort().map((company) => [company === three ? 'unavailable' : 'refused', 1]),
  )
  const { data } = (await api.call('GET', `/api/activity?entity_id=${id}`)).body
  assert.equal(data[0].activity_type, 'bulk_action_completed')
  assert.equal(data[0].user_email, ada)
})

test('an action fails if all its companies fail, and can be retried', async () => {
  const few = companies.slice(0, 3)
  const { id } = await start(few)
  await reportResults(
    id,
    few.map((company) => failed(company)),
  )
  assert.deepEqual(countersOf(await read(id)), ['failed', 3, 0, 3])
  const { status, body } = await api.call('POST', `/api/bulk-actions/${id}/retry`)
  assert.equal(status, 200)
  assert.deepEqual(countersOf(body.data), ['running', 3, 0, 0])
  assert.deepEqual([body.data.error_summary, body.data.completed_at], [{}, null])
  await reportResults(id, few.map(processed))
  assert.deepEqual(countersOf(await read(id)), ['completed', 3, 3, 0])
  assert.equal((await api.call('POST', `/api/bulk-actions/${id}/retry`)).status, 409)
})

test('the same results submitted concurrently count once', async () => {
  const { id } = await start()
  const results = companies.map((company, n) => (n % 7 === 0 ? failed(company) : processed(company)))
  const answers = await Promise.all([1, 2, 3].map(() => reportResults(id, results)))
  assert.deepEqual(
    answers.map(({ status }) => status),
    [200, 200, 200],
  )
  const action = await read(id)
  assert.deepEqual(countersOf(action), ['completed', 12, 10, 2])
  assert.equal((action.error_summary as { refused: { count: number } }).refused.count, 2)
  const { data } = (await api.call('GET', `/api/activity?entity_id=${id}`)).body
  assert.equal(
    data.filter(({ activity_type }: { activity_type: string }) => activity_type === 'bulk_action_completed')
      .length,
    1,
  )
})

test('a result for a company that is not in the action is rejected, and nothing is stored', async () => {
  const [one = '', two = ''] = companies
  const { id } = await start([one])
  const { status, body } = await reportResults(id, [processed(one), processed(two)])
  assert.equal(status, 400)
  assert.match(body.details, new RegExp(`${two} is not in it`))
  assert.deepEqual(countersOf(await read(id)), ['pending', 1, 0, 0])
  assert.equal((await reportResults('ba_none', [processed(one)])).status, 404)
})

test('only the worker may read work and submit results', async () => {
  const { id } = await start(companies.slice(0, 2))
  const [one = ''] = companies
  for (const [method, url, body] of [
    ['GET', `/api/bulk-actions/${id}/work?company_ids=${one}`, undefined],
    ['POST', `/api/bulk-actions/${id}/results`, { results: [processed(one)] }],
  ] as const) {
    const answer = await api.call(method, url, body)
    assert.equal(answer.status, 403, url)
  }
})

test('a submitted embedding is searchable, and the work marks indexed companies as current', async () => {
  const id = (await api.call('POST', '/api/companies', { name: 'Zebra', activity_description: 'Stripes' }))
    .body.data.id
  const action = await start([id])
  const work = () =>
    api.call('GET', `/api/bulk-actions/${action.id}/work?company_ids=${id}`, undefined, { headers: worker })
  const { body } = await work()
  assert.deepEqual(body.data.embedding.model, {
    key: 'builtin-1, text 1',
    name: 'builtin-1',
    dimensions: null,
  })
  const [{ text, text_hash }] = body.data.embedding.companies
  assert.equal(text, 'Zebra\nStripes')
  const weights = [...documentWeights(text)]
  for (const [embedding, message] of [
    [{ model: 'another', text_hash, weights }, /model must be builtin-1, text 1/],
    [{ model: 'builtin-1, text 1', text_hash, vector: [1, 2] }, /must have weights/],
  ] as const) {
    const refused = await reportResults(action.id, [{ company_id: id, embedding } as unknown as Result])
    assert.equal(refused.status, 400)
    assert.match(refused.body.details, message)
  }
  assert.equal(
    (
      await reportResults(action.id, [
        { company_id: id, embedding: { model: 'builtin-1, text 1', text_hash, weights } },
      ])
    ).status,
    200,
  )
  const found = await api.call('GET', '/api/companies/search/semantic?q=stripes')
  assert.deepEqual(
    found.body.data.map(({ name }: { name: string }) => name),
    ['Zebra'],
  )
  assert.deepEqual((await work()).body.data.company_ids, [])
  const again = await start([id])
  const next = await api.call('GET', `/api/bulk-actions/${again.id}/work?company_ids=${id}`, undefined, {
    headers: worker,
  })
  assert.equal(next.body.data.embedding.companies[0].is_current, true)
  const forced = await start([id], { force: true })
  const forcedWork = await api.call(
    'GET',
    `/api/bulk-actions/${forced.id}/work?company_ids=${id}`,
    undefined,
    {
      headers: worker,
    },
  )
  assert.equal(forcedWork.body.data.embedding.companies[0].is_current, false)
})

test('an embedding of an outdated text does not replace a newer one', async () => {
  const { body } = await api.call('POST', '/api/companies', { name: 'Late', activity_description: 'Okapi' })
  const { id } = body.data
  const action = await start([id])
  const work = await api.call('GET', `/api/bulk-actions/${action.id}/work?company_ids=${id}`, undefined, {
    headers: worker,
  })
  const [{ text, text_hash }] = work.body.data.embedding.companies
  await api.call('PATCH', `/api/companies/${id}`, { activity_description: 'Giraffes' })
  const weights = [...documentWeights(text)]
  await reportResults(action.id, [
    { company_id: id, embedding: { model: 'builtin-1, text 1', text_hash, weights } },
  ])
  assert.equal((await read(action.id)).status, 'completed')
  await eventually(async () => {
    const found = await api.call('GET', '/api/companies/search/semantic?q=giraffe')
    assert.equal(found.body.pagination.total, 1, 'the new text is found')
  })
  assert.equal((await api.call('GET', '/api/companies/search/semantic?q=okapi')).body.pagination.total, 0)
  const refused = await reportResults((await start([id])).id, [
    { company_id: id, embedding: { model: 'builtin-1, text 1', text_hash, weights: [[1.5, 1]] } },
  ])
  assert.equal(refused.status, 400)
})

test('a retry includes companies that were still pending', async () => {
  const few = companies.slice(0, 4)
  const { id } = await start(few)
  await reportResults(id, [failed(few[0] ?? '')])
  await api.call('PATCH', `/api/bulk-actions/${id}`, { status: 'failed' })
  const bulkQueue = api.context.bulkQueues.generate_embeddings
  for (let job = await bulkQueue.fetch(); job; job = await bulkQueue.fetch()) await bulkQueue.complete(job)
  await api.call('POST', `/api/bulk-actions/${id}/retry`)
  const job = await bulkQueue.fetch()
  assert.deepEqual(job?.data.company_ids.toSorted(), few.toSorted())
  if (job) await bulkQueue.complete(job)
})

test('a cancelled action has no work', async () => {
  const { id } = await start()
  const { body } = await api.call('PATCH', `/api/bulk-actions/${id}`, { status: 'cancelled' })
  assert.equal(body.data.status, 'cancelled')
  assert.ok(body.data.completed_at)
  const work = await api.call('GET', `/api/bulk-actions/${id}/work?company_ids=${companies[0]}`, undefined, {
    headers: worker,
  })
  assert.deepEqual([work.body.data.status, work.body.data.company_ids], ['cancelled', []])
  await reportResults(id, [processed(companies[0] ?? '')])
  assert.deepEqual(countersOf(await read(id)), ['cancelled', 12, 0, 0])
  assert.equal((await api.call('POST', `/api/bulk-actions/${id}/retry`)).status, 409)
  const { data } = (await api.call('GET', `/api/activity?entity_id=${id}`)).body
  assert.equal(data[0].activity_type, 'bulk_action_cancelled')
})

test('users only see their own actions in the list', async () => {
  const { pagination, data } = (await api.call('GET', '/api/bulk-actions?limit=2')).body
  assert.ok(pagination.total > 5)
  assert.ok(data[0].id > data[1].id)
  const others = await api.call('GET', '/api/bulk-actions', undefined, {
    headers: { 'x-user-email': 'eve@example.com' },
  })
  assert.equal(others.body.pagination.total, 0)
  assert.equal((await api.call('GET', '/api/bulk-actions', undefined, { headers: {} })).status, 401)
  const ended = await api.call('GET', '/api/bulk-actions?status=cancelled')
  assert.ok(ended.body.data.every(({ status }: BulkAction) => status === 'cancelled'))
  const totalOf = async (query: string) =>
    (await api.call('GET', `/api/bulk-actions?limit=0&${query}`)).body.pagination.total
  const [completed, cancelled] = [await totalOf('status=completed'), await totalOf('status=cancelled')]
  assert.ok(completed > 0)
  assert.equal(await totalOf('status=completed&status=Cancelled'), completed + cancelled)
})

test('the event stream sends each change and closes when the action ends', { timeout: 120_000 }, async () => {
  const { id } = await start(companies.slice(0, 2))
  const { statusCode, headers, stream } = await api.app.inject({
    url: `/api/bulk-actions/${id}/events`,
    headers: { 'x-user-email': ada },
    payloadAsStream: true,
  })
  assert.equal(statusCode, 200)
  assert.match(String(headers['content-type']), /^text\/event-stream/)
  await reportResults(id, [processed(companies[0] ?? '')])
  let text = ''
  let hasEnded = false
  for await (const chunk of stream()) {
    text += chunk
    if (hasEnded || !text.includes('"status":"running"')) continue
    hasEnded = true
    await reportResults(id, [processed(companies[1] ?? '')])
  }
  const events = [...text.matchAll(/^event: (\w+)\ndata: (.+)$/gm)].map(([, event, data]) => [
    event,
    (JSON.parse(data as string) as BulkAction).status,
  ])
  assert.deepEqual(events.at(-1), ['end', 'completed'])
  assert.ok(events.some(([event, state]) => event === 'progress' && state === 'running'))
  assert.equal((await api.call('GET', '/api/bulk-actions/ba_none/events')).status, 404)
})
