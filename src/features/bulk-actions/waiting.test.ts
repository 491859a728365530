import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { signWorkerToken } from '#src/platform/identity/identity.ts'
import { type TestApp, testApp } from '#src/testing/app.ts'
import { PRODUCTION } from '#src/testing/settings.ts'
import { ACTION_TYPES, type BulkAction } from './schema.ts'

const LANGUAGE_MODEL =
  /^No language model is set\. Set LLM=openai-compatible .*, or LLM=builtin .* restart the service/
const SEARCH = /^Semantic search is off\. Set EMBEDDINGS=builtin or .* restart the service/
const OWN_WORKER = /^An external worker must pick this up: .*WORKER=off.*LLM=off/
const OWN_WORKER_FOR_SEARCH = /^An external worker must pick this up: .*WORKER=off.*EMBEDDINGS=off/

/** What actions wait for with these settings, per type in the order of `ACTION_TYPES`; null: nothing. */
const CASES: [Record<string, string>, (RegExp | null)[]][] = [
  [{}, [null, null, null]],
  [{ WORKER: 'off' }, [null, null, null]],
  [{ LLM: 'off' }, [null, LANGUAGE_MODEL, LANGUAGE_MODEL]],
  [{ LLM: 'off', EMBEDDINGS: 'off' }, [SEARCH, LANGUAGE_MODEL, LANGUAGE_MODEL]],
  [{ LLM: 'off', WORKER: 'off' }, [null, OWN_WORKER, OWN_WORKER]],
  [{ LLM: 'off', EMBEDDINGS: 'off', WORKER: 'off' }, [OWN_WORKER_FOR_SEARCH, OWN_WORKER, OWN_WORKER]],
  [PRODUCTION, [null, LANGUAGE_MODEL, LANGUAGE_MODEL]],
]

for (const [settings, reasons] of CASES)
  test(`an action is accepted with ${JSON.stringify(nameOf(settings))}and says what it is waiting for`, async () => {
    const api = await testApp(settings)
    try {
      const headers = { authorization: `Bearer ${await tokenOf(api)}` }
      const call: TestApp['call'] = (method, url, body) => api.call(method, url, body, { headers })
      const company_ids = [(await call('POST', '/api/companies', { name: 'Acme' })).body.data.id]
      const readiness = (await call('GET', '/api/bulk-actions/readiness')).body.data
      for (const [n, action_type] of ACTION_TYPES.entries()) {
        const unknown = { action_type, company_ids: ['cmp_none'] }
        assert.equal((await call('POST', '/api/bulk-actions', unknown)).status, 400)
        const { status, body } = await call('POST', '/api/bulk-actions', { action_type, company_ids })
        assert.deepEqual([status, body.data.status], [201, 'pending'], action_type)
        check(body.data, reasons[n] ?? null)
        assert.deepEqual((await call('GET', `/api/bulk-actions/${body.data.id}`)).body.data, body.data)
        assert.equal(readiness[action_type].waiting_for, body.data.waiting_for)
      }
      const listed = (await call('GET', '/api/bulk-actions')).body.data as BulkAction[]
      for (const [n, action_type] of ACTION_TYPES.entries())
        for (const action of listed.filter((action) => action.action_type === action_type))
          check(action, reasons[n] ?? null)
    } finally {
      await api.close()
    }
  })

function nameOf(settings: Record<string, string>) {
  return settings === PRODUCTION ? 'production' : settings
}

const tokenOf = ({ context }: TestApp) =>
  context.sessions.sign({ sub: 'ada@example.com', email: 'ada@example.com' })

function check({ waiting_for }: BulkAction, expected: RegExp | null): void {
  if (expected) assert.match(waiting_for ?? '', expected)
  else assert.equal(waiting_for, null)
}

let api: TestApp
before(async () => {
  api = await testApp({ LLM: 'off' })
})
after(() => api.close())

async function start(count: number): Promise<string> {
  const company_ids: string[] = []
  for (let n = 0; n < count; n++)
    company_ids.push((await api.call('POST', '/api/companies', { name: `Company ${n}` })).body.data.id)
  const body = { action_type: 'enrich_profile', company_ids }
  return (await api.call('POST', '/api/bulk-actions', body)).body.data.id
}

test('an external worker can process a waiting action, and after a retry it waits again', async () => {
  const id = await start(2)
  const patch = async (body: object) =>
    (await api.call('PATCH', `/api/bulk-actions/${id}`, body, { headers: {} })).body.data as BulkAction
  assert.equal((await patch({ status: 'running', processed_companies: 1 })).waiting_for, null)
  await patch({ status: 'failed', failed_companies: 1 })
  const { status, body } = await api.call('POST', `/api/bulk-actions/${id}/retry`)
  assert.deepEqual([status, body.data.status, body.data.processed_companies], [200, 'pending', 1])
  check(body.data, LANGUAGE_MODEL)
})

test('a waiting action can be cancelled, which clears waiting_for', async () => {
  const id = await start(1)
  const { body } = await api.call('PATCH', `/api/bulk-actions/${id}`, { status: 'cancelled' })
  assert.deepEqual([body.data.status, body.data.waiting_for], ['cancelled', null])
})

test('missing settings make work unavailable, and the worker can set waiting_for', async () => {
  const id = await start(1)
  const headers = { authorization: `Bearer ${await signWorkerToken(api.context.sessions, 60)}` }
  const { company_id } = (await api.call('GET', `/api/bulk-actions/${id}/companies`)).body.data[0]
  const work = `/api/bulk-actions/${id}/work?company_ids=${company_id}`
  const answer = await api.call('GET', work, undefined, { headers })
  assert.equal(answer.status, 503)
  assert.match(answer.body.details, /no language model \(LLM=off\)/)
  const results = `/api/bulk-actions/${id}/results`
  const wait = { results: [], waiting_for: 'The object storage does not answer.' }
  check((await api.call('POST', results, wait, { headers })).body.data, LANGUAGE_MODEL)
})

test('readiness names the model of each type', async () => {
  const modelsOf = async (of: TestApp) => {
    const { data } = (await of.call('GET', '/api/bulk-actions/readiness')).body
    return ACTION_TYPES.map((action_type) => data[action_type].model)
  }
  assert.deepEqual(await modelsOf(api), ['builtin-1', null, null])
  const standard = await testApp()
  try {
    assert.deepEqual(await modelsOf(standard), ['builtin-1', 'builtin-heuristic', 'builtin-heuristic'])
  } finally {
    await standard.close()
  }
})
