import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { anonymous, bodyOf, type Client, dataOf, newUser } from './client.ts'
import { newCompanies, newThesis, readBulkAction, whenEnded } from './fixtures.ts'

const ROBOTS = {
  name: 'Nordlys Robotics',
  country: 'Norway',
  country_code: 'NO',
  hq_city: 'Trondheim',
  industry_category: 'Robotics',
  activity_description: 'Picking robots for mid-sized warehouses.',
}

describe('1. What the service does', () => {
  test('a team creates a company, links a thesis, moves a deal, runs a bulk action and reads the enrichment', async () => {
    const client = newUser()
    const before = await dataOf(client.get('/api/stats'))

    const { id } = await dataOf(client.post('/api/companies', ROBOTS), 201)
    await newThesis(client)
    const [thesis] = await dataOf(client.get('/api/theses'))
    const linked = await dataOf(client.patch(`/api/companies/${id}`, { thesis_id: thesis.id }))
    assert.equal(linked.thesis_id, thesis.id)

    const deal = await openDeal(client, id)
    const [moved] = await dataOf(client.get(`/api/activity?entity_type=dealflow&entity_id=${deal.id}`))
    assert.equal(moved.user_email, client.email)
    const after = await dataOf(client.get('/api/stats'))
    for (const total of ['companies_total', 'companies_active', 'dealflow_active', 'theses_active'])
      assert.equal(after[total], before[total] + 1, total)

    const action = { action_type: 'enrich_profile', company_ids: [id], priority_override: 95 }
    const started = await dataOf(client.post('/api/bulk-actions', action), 201)
    const ended = await whenEnded(client, started.id)
    assert.deepEqual(
      [ended.status, ended.processed_companies, ended.failed_companies],
      ['completed', 1, 0],
      JSON.stringify(ended),
    )

    const { company, dealflow, recent_activity } = await dataOf(client.get(`/api/companies/${id}`))
    assert.equal(company.thesis_id, thesis.id)
    assert.deepEqual([dealflow.id, dealflow.stage, dealflow.probability], [deal.id, 'meeting', 40])
    assert.ok(
      recent_activity.some((record: { activity_type: string }) => record.activity_type === 'company_created'),
    )
    assert.ok(Object.keys(company.enriched_data).length > 0)
    assert.deepEqual(company.enriched_data, await bodyOf(client.get(`/assets/companies/${id}/profile.json`)))
  })

  test('an external worker that knows only PATCH completes a bulk action', async () => {
    const client = newUser()
    const worker = anonymous()
    const company_ids = (await newCompanies(client, 3)).map(({ id }) => id)
    const body = { action_type: 'llm_score', company_ids }
    const { id } = await dataOf(client.post('/api/bulk-actions', body), 201)

    await bodyOf(worker.patch(`/api/bulk-actions/${id}`, { status: 'running', processed_companies: 1 }))
    const running = await readBulkAction(client, id)
    assert.deepEqual([running.status, running.processed_companies], ['running', 1])

    const completed_at = new Date().toISOString()
    const report = { status: 'completed', processed_companies: 3, completed_at }
    await bodyOf(worker.patch(`/api/bulk-actions/${id}`, report))
    const completed = await readBulkAction(client, id)
    assert.deepEqual(
      [completed.status, completed.processed_companies, completed.failed_companies],
      ['completed', 3, 0],
    )
    assert.equal(completed.completed_at, completed_at)
  })
})

async function openDeal(client: Client, company_id: string) {
  const body = { company_id, stage: 'initial', probability: 20, notes: 'Met at a trade fair.' }
  const deal = await dataOf(client.post('/api/dealflow', body), 201)
  return dataOf(client.patch(`/api/dealflow/${deal.id}`, { stage: 'meeting', probability: 40 }))
}
