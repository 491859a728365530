import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { createHandlers } from './handlers.ts'
import {
  byModel,
  createCompany,
  detail,
  ended,
  endpoint,
  judge,
  modelIsCalled,
  openService,
  run,
  type Service,
  start,
  startBeforeTests,
} from './language-models.fixture.ts'

startBeforeTests()

let byRules: Service
before(async () => {
  byRules = await openService({ LLM: 'builtin' }, ({ config, context }) =>
    createHandlers(config, undefined, context.log),
  )
})
after(() => byRules.close())

/** One company with a score that a person entered, one that was imported, one that AI scored, and one without a score. */
async function companiesOf(service: Service): Promise<[string, string, string, string]> {
  const name = `Firm ${Math.random()}`
  const entered = await createCompany(service, { name: `${name} entered`, llm_score_overall: 94 })
  const csv = `name,llm_score_overall\n${name} imported,12`
  const headers = { 'content-type': 'text/csv' }
  await service.call('POST', '/api/companies/import', csv, { headers })
  const [imported] = (
    await service.call('GET', `/api/companies?search=${encodeURIComponent(`${name} imported`)}`)
  ).body.data
  const scored = await createCompany(service, { name: `${name} scored` })
  await run(service, 'llm_score', [scored])
  return [entered, imported.id, scored, await createCompany(service, { name: `${name} blank` })]
}

const scoreOf = async (service: Service, id: string) => (await detail(service, id)).company.llm_score_overall
const scoresOf = (service: Service, ids: string[]) => Promise.all(ids.map((id) => scoreOf(service, id)))

async function changesOf(service: Service, id: string) {
  const { body } = await service.call('GET', `/api/bulk-actions/${id}/companies?sort=change`)
  return body.data.map(
    ({ company_id, previous_score, score, kept }: Record<string, unknown>) =>
      [company_id, previous_score, score, kept] as const,
  )
}

test('the preview counts the scores that people entered or imported', async () => {
  for (const service of [byModel, byRules]) {
    const company_ids = await companiesOf(service)
    const { body } = await service.call('POST', '/api/bulk-actions/preview', { company_ids })
    assert.deepEqual(body.data, { total_companies: 4, entered_scores: 2, can_replace: service === byModel })
  }
})

test('keep leaves them as they are, without asking the model for them', async () => {
  const ids = await companiesOf(byModel)
  endpoint.requests.length = 0
  const action = await run(byModel, 'llm_score', ids, { existing: 'keep', force: true })
  assert.deepEqual(await scoresOf(byModel, ids), [94, 12, 80, 80])
  assert.deepEqual(
    [action.existing, action.processed_companies, action.kept_companies, endpoint.requests.length],
    ['keep', 4, 2, 2],
  )
  const [entered, imported, scored, blank] = ids
  const keptRows = [
    [entered, 94, null, true],
    [imported, 12, null, true],
  ]
  assert.deepEqual(await changesOf(byModel, action.id), [
    [scored, 80, 80, false],
    [blank, null, 80, false],
    ...(entered < imported ? keptRows : keptRows.toReversed()),
  ])
})

test('a start that does not say so replaces them, as replace does, and an undo brings them back', async () => {
  for (const options of [{}, { existing: 'replace' }]) {
    const ids = await companiesOf(byModel)
    const action = await run(byModel, 'llm_score', ids, options)
    assert.deepEqual(await scoresOf(byModel, ids), [80, 80, 80, 80])
    assert.equal(action.kept_companies, 0)
    const changes = await changesOf(byModel, action.id)
    assert.deepEqual(
      changes.map(([, before, score]: [string, number, number]) => [before, score]),
      [
        [12, 80],
        [94, 80],
        [null, 80],
        [80, null],
      ],
    )
    const [{ action_id }] = (await detail(byModel, ids[0])).recent_activity
    assert.equal((await byModel.call('POST', `/api/actions/${action_id}/undo`, {})).status, 200)
    assert.deepEqual(await scoresOf(byModel, ids), [94, 12, 80, null])
  }
})

test('the built-in rules never replace them, and show what they found', async () => {
  for (const options of [{}, { existing: 'replace' }, { existing: 'keep' }]) {
    const ids = await companiesOf(byRules)
    const action = await run(byRules, 'llm_score', ids, options)
    const [entered, imported, , blank] = await scoresOf(byRules, ids)
    assert.deepEqual([entered, imported, action.kept_companies], [94, 12, 2])
    assert.equal(typeof blank, 'number')
    const kept = (await changesOf(byRules, action.id)).filter(([, , , isKept]: boolean[]) => isKept)
    assert.deepEqual(kept.map(([, before]: number[]) => before).toSorted(), [12, 94])
    for (const [, , score] of kept) assert.equal(typeof score, 'number')
  }
})

test('a score that a person enters during the action is kept', async () => {
  const id = await createCompany(byModel, { name: 'Edited during scoring' })
  endpoint.answer = judge
  endpoint.failWith = () => ({ delay: 1500 })
  const action = await start(byModel, 'llm_score', [id], { existing: 'keep' })
  await modelIsCalled()
  await byModel.call('PATCH', `/api/companies/${id}`, { llm_score_overall: 7 })
  const { kept_companies } = await ended(byModel, action)
  assert.deepEqual([await scoreOf(byModel, id), kept_companies], [7, 1])
  assert.deepEqual(await changesOf(byModel, action), [[id, 7, 80, true]])
})

test('enrich_profile takes keep alone, because it always keeps, and generate_embeddings takes neither', async () => {
  const company_ids = [await createCompany(byModel, { name: 'Other' })]
  const body = { action_type: 'enrich_profile', company_ids, existing: 'replace' }
  const { status, body: refused } = await byModel.call('POST', '/api/bulk-actions', body)
  assert.equal(status, 400)
  assert.equal(
    refused.details,
    'existing must be keep for enrich_profile, not replace: it fills empty fields only.',
  )
  const keep = await byModel.call('POST', '/api/bulk-actions', { ...body, existing: 'keep' })
  assert.equal(keep.status, 201)
  const embed = { ...body, action_type: 'generate_embeddings', existing: 'keep' }
  assert.match(
    (await byModel.call('POST', '/api/bulk-actions', embed)).body.details,
    /^existing can only be used/,
  )
  const wrong = { ...body, action_type: 'llm_score', existing: 'ask' }
  assert.match((await byModel.call('POST', '/api/bulk-actions', wrong)).body.details, /existing/)
})
