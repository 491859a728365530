import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { scoreExample } from '#src/features/companies/score-schema.ts'
import { signWorkerToken } from '#src/platform/identity/worker-token.ts'
import { createHandlers } from './handlers.ts'
import {
  createCompany,
  createThesis,
  detail,
  openService,
  run,
  type Service,
  start,
} from './language-models.fixture.ts'

let byRules: Service
before(async () => {
  byRules = await openService({ LLM: 'builtin' }, ({ config, context }) =>
    createHandlers(config, undefined, context.log),
  )
})
after(() => byRules.close())

test('an unknown thesis and results of another type of action are rejected', async () => {
  const id = await createCompany(byRules, { name: 'Wrong' })
  const body = { action_type: 'llm_score', company_ids: [id], thesis_id: 'th_none' }
  const refused = await byRules.call('POST', '/api/bulk-actions', body)
  assert.equal(refused.status, 400)
  assert.match(refused.body.details, /thesis_id must be the id of a thesis; none has the id th_none/)
  const action = await start(byRules, 'generate_embeddings', [id])
  const headers = { authorization: `Bearer ${await signWorkerToken(byRules.context.sessions, 60)}` }
  const results = { results: [{ company_id: id, score: scoreExample }] }
  const other = await byRules.call('POST', `/api/bulk-actions/${action}/results`, results, { headers })
  assert.equal(other.status, 400)
  assert.match(other.body.details, /generate_embeddings must have the outcome embedding, not score/)
  const budget = await byRules.call('PATCH', `/api/bulk-actions/${action}`, { token_budget: 5 })
  assert.match(budget.body.details, /token_budget can only be used with llm_score and enrich_profile/)
})

test('without a model, rules do all the work, label their results, and are deterministic', async () => {
  const thesis_id = await createThesis(byRules, 'LOOMS', {
    summary: 'Looms and software for mills in Europe.',
  })
  const fields = {
    thesis_id,
    activity_description:
      'Builds looms for mills. Its software plans the work of customers in ten countries.',
    industry_category: 'Textile machines',
    employee_count: 84,
    country: 'Norway',
    website: 'https://looms.example',
    executives: [{ name: 'Ada Weaver', title: 'CEO' }],
  }
  const ids = [
    await createCompany(byRules, { name: 'Looms', ...fields }),
    await createCompany(byRules, { name: 'Looms', ...fields }),
    await createCompany(byRules, { name: 'Nothing known' }),
  ]
  for (const action_type of ['generate_embeddings', 'llm_score', 'enrich_profile']) {
    const action = await run(byRules, action_type, ids)
    assert.deepEqual([action.status, action.processed_companies, action.usage.calls], ['completed', 3, 0])
  }
  const [first, second, unknown] = await Promise.all(ids.map((id) => detail(byRules, id)))
  const label = 'This is a demo: made by simple rules, not by a language model.'
  assert.equal(first.company.llm_score_details.model, 'builtin-heuristic')
  assert.equal(first.company.llm_score_details.warnings[0], label)
  const reasons = first.company.llm_score_details.criteria.map(({ reason }: { reason: string }) => reason)
  assert.ok(
    reasons.some((reason: string) =>
      /^The company has 84 employees\. Its description mentions “/.test(reason),
    ),
    reasons.join('\n'),
  )
  assert.ok(first.company.llm_score_overall > unknown.company.llm_score_overall)
  assert.deepEqual(first.company.llm_score_details.criteria, second.company.llm_score_details.criteria)
  const { model, summary, website, executives, customers, warnings } = first.company.enriched_data
  assert.deepEqual([model, warnings], ['builtin-heuristic', [label]])
  assert.match(summary.value, /^Builds looms for mills\./)
  assert.deepEqual(customers.value, ['mills'])
  assert.equal(executives.value[0].name, 'Ada Weaver')
  assert.match(website.reason, /./)
  assert.equal(unknown.company.enriched_data.summary, null)
  assert.equal(unknown.company.activity_description, null)
})
