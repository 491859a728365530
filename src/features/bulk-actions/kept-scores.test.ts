import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { scoreExample } from '#src/features/companies/score-schema.ts'
import { signWorkerToken } from '#src/platform/identity/worker-token.ts'
import { type TestApp, testApp } from '#src/testing/app.ts'
import { BUILTIN_MODEL } from './work-schema.ts'

let api: TestApp
let headers: { authorization: string }
before(async () => {
  api = await testApp()
  headers = { authorization: `Bearer ${await signWorkerToken(api.context.sessions, 3600)}` }
})
after(() => api.close())

async function create(path: string, fields: object): Promise<string> {
  const { status, body } = await api.call('POST', path, fields)
  assert.equal(status, 201, JSON.stringify(body))
  return body.data.id
}

const company = (llm_score_overall: number | null) =>
  create('/api/companies', { name: `Firm ${Math.random()}`, llm_score_overall })
const start = (company_ids: string[], fields = {}) =>
  create('/api/bulk-actions', { action_type: 'llm_score', company_ids, ...fields })

/** Submits a score for each company, as a worker outside of the service does. */
async function submit(id: string, scores: Record<string, number>, model = 'foreign') {
  const results = Object.entries(scores).map(([company_id, overall]) => ({
    company_id,
    score: { ...scoreExample, overall, model, thesis: null },
  }))
  const { status, body } = await api.call('POST', `/api/bulk-actions/${id}/results`, { results }, { headers })
  assert.equal(status, 200, JSON.stringify(body))
}

const scoreOf = async (id: string) =>
  (await api.call('GET', `/api/companies/${id}`)).body.data.company.llm_score_overall
const read = async (id: string) => (await api.call('GET', `/api/bulk-actions/${id}`)).body.data

async function changesOf(id: string) {
  const { body } = await api.call('GET', `/api/bulk-actions/${id}/companies?sort=change`)
  return body.data.map((row: Record<string, unknown>) => [
    row.company_id,
    row.previous_score,
    row.score,
    row.kept,
  ])
}

/** Fails unless the counters match the companies' rows. */
async function assertCounters(id: string, processed: number, kept: number) {
  const { processed_companies, kept_companies } = await read(id)
  assert.deepEqual([processed_companies, kept_companies], [processed, kept])
  const rows = await changesOf(id)
  assert.equal(rows.filter(([, , , isKept]: unknown[]) => isKept).length, kept)
}

test('the results of any worker obey the action, and those of the built-in rules never replace', async () => {
  for (const [options, model, expected] of [
    [{}, 'foreign', 47],
    [{ existing: 'replace' }, 'foreign', 47],
    [{ existing: 'keep' }, 'foreign', 94],
    [{}, BUILTIN_MODEL, 94],
    [{ existing: 'replace' }, BUILTIN_MODEL, 94],
  ] as const) {
    const id = await company(94)
    const action = await start([id], options)
    const { body } = await api.call('GET', `/api/bulk-actions/${action}/work?company_ids=${id}`, undefined, {
      headers,
    })
    assert.equal(body.data.scoring.companies[0].kept, 'existing' in options && options.existing === 'keep')
    await submit(action, { [id]: 47 }, model)
    const isKept = expected === 94
    assert.equal(await scoreOf(id), expected)
    assert.deepEqual(await changesOf(action), [[id, 94, 47, isKept]])
    const { status, processed_companies, failed_companies, kept_companies } = await read(action)
    assert.deepEqual(
      [status, processed_companies, failed_companies, kept_companies],
      ['completed', 1, 0, isKept ? 1 : 0],
    )
  }
})

test('results that a restarted worker submits again change nothing', async () => {
  const ids = [await company(94), await company(10)]
  const action = await start(ids)
  await submit(action, { [ids[0] as string]: 47 })
  await submit(action, { [ids[0] as string]: 52, [ids[1] as string]: 15 })
  assert.deepEqual(await changesOf(action), [
    [ids[0], 94, 47, false],
    [ids[1], 10, 15, false],
  ])
  assert.equal(await scoreOf(ids[0] as string), 47)
})

test('the largest change comes first, then new scores, then scores that were kept', async () => {
  const [small, large, fresh, best] = [
    await company(50),
    await company(94),
    await company(null),
    await company(null),
  ]
  await submit(await start([small, large]), { [small]: 50, [large]: 90 })
  const entered = await company(5)
  const action = await start([small, large, fresh, best, entered], { existing: 'keep' })
  await submit(action, { [small]: 52, [large]: 40, [fresh]: 60, [best]: 70, [entered]: 99 })
  assert.deepEqual(await changesOf(action), [
    [large, 90, 40, false],
    [small, 50, 52, false],
    [best, null, 70, false],
    [fresh, null, 60, false],
    [entered, 5, 99, true],
  ])
})

test('a score with the details of an action of another workspace is an imported one', async () => {
  const llm_score_details = { overall: 61, bulk_action_id: 'ba_01jw3f8x5zfq2v5n6k7m8p9r0s' }
  const foreign = await create('/api/companies', {
    name: 'Moved here',
    llm_score_overall: 61,
    llm_score_details,
  })
  const own = await company(null)
  await submit(await start([own]), { [own]: 61 })
  const { body } = await api.call('POST', '/api/bulk-actions/preview', { company_ids: [foreign, own] })
  assert.deepEqual(body.data, { total_companies: 2, entered_scores: 1, can_replace: false })
  const details = (await api.call('GET', `/api/companies/${own}`)).body.data.company.llm_score_details
  await api.call('PATCH', `/api/companies/${own}`, { llm_score_overall: 62, llm_score_details: details })
  const edited = await api.call('POST', '/api/bulk-actions/preview', { company_ids: [own] })
  assert.equal(edited.body.data.entered_scores, 1)
})

test('trash, restore, and merge take the old and new scores along', async () => {
  const [kept, replaced] = [await company(94), await company(null)]
  const action = await start([kept, replaced], { existing: 'keep' })
  await submit(action, { [kept]: 47, [replaced]: 60 })
  const before = await changesOf(action)
  await assertCounters(action, 2, 1)
  await api.call('DELETE', `/api/companies/${kept}`)
  await assertCounters(action, 1, 0)
  assert.equal((await api.call('POST', `/api/trash/${kept}/restore`)).status, 200)
  await assertCounters(action, 2, 1)
  assert.deepEqual(await changesOf(action), before)
  const survivor = await company(null)
  const merged = await api.call('POST', `/api/companies/${survivor}/merge`, { from: [kept] })
  assert.equal(merged.status, 200, JSON.stringify(merged.body))
  await assertCounters(action, 2, 1)
  assert.deepEqual((await changesOf(action)).at(-1), [survivor, 94, 47, true])
  await api.call('POST', `/api/actions/${merged.body.data.action_id}/undo`, {})
  await assertCounters(action, 2, 1)
  assert.deepEqual(await changesOf(action), before)
})

test('a report that takes companies back takes them out of the kept ones', async () => {
  const ids = [await company(94), await company(93)]
  const action = await start(ids, { existing: 'keep' })
  await submit(action, Object.fromEntries(ids.map((id) => [id, 47])))
  const body = { status: 'running', processed_companies: 1, failed_companies: 0 }
  const { body: reported } = await api.call('PATCH', `/api/bulk-actions/${action}`, body, { headers: {} })
  assert.deepEqual([reported.data.processed_companies, reported.data.kept_companies], [1, 1])
  await api.call('PATCH', `/api/bulk-actions/${action}`, { processed_companies: 0 }, { headers: {} })
  assert.equal((await read(action)).kept_companies, 0)
})
