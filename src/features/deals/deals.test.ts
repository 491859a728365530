import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type TestApp, testApp } from '#src/testing/app.ts'

let api: TestApp
let company_id: string
before(async () => {
  api = await testApp()
  company_id = (await api.call('POST', '/api/companies', { name: 'Target' })).body.data.id
})
after(() => api.close())

const create = async (deal: object = {}) =>
  (await api.call('POST', '/api/dealflow', { company_id, ...deal })).body.data

test('a new deal starts in the first stage', async () => {
  const { status, body } = await api.call('POST', '/api/dealflow', { company_id })
  assert.equal(status, 201)
  const { stage, probability, notes, status: dealStatus, company_name } = body.data
  assert.deepEqual(
    [stage, probability, notes, dealStatus, company_name],
    ['initial', null, null, 'active', 'Target'],
  )
})

test('a deal is read by its id, and an unknown id is a 404', async () => {
  const deal = await create({ stage: 'meeting', notes: 'Met at a trade fair.' })
  const { status, body } = await api.call('GET', `/api/dealflow/${deal.id}`)
  assert.equal(status, 200)
  assert.deepEqual(body.data, deal)
  const unknown = await api.call('GET', '/api/dealflow/df_none')
  assert.equal(unknown.status, 404)
  assert.match(unknown.body.details, /No deal has the id df_none/)
})

test('an unknown company is a 400, and nothing is written', async () => {
  const before = (await api.call('GET', '/api/activity?limit=1')).body.pagination.total
  const { status, body } = await api.call('POST', '/api/dealflow', { company_id: 'cmp_none' })
  assert.equal(status, 400)
  assert.match(body.details, /company_id must be the id of a company; none has the id cmp_none/)
  assert.equal((await api.call('GET', '/api/activity?limit=1')).body.pagination.total, before)
})

test('stage, probability and notes change together or alone, and each change is logged', async () => {
  const { id } = await create({ stage: 'initial', probability: 20, notes: 'n' })
  const { body } = await api.call('PATCH', `/api/dealflow/${id}`, { stage: 'meeting', probability: 40 })
  assert.deepEqual([body.data.stage, body.data.probability, body.data.notes], ['meeting', 40, 'n'])
  await api.call('PATCH', `/api/dealflow/${id}`, { notes: null })
  await api.call('PATCH', `/api/dealflow/${id}`, { notes: null, stage: 'meeting' })
  const { data } = (await api.call('GET', `/api/activity?entity_id=${id}`)).body
  assert.deepEqual(
    data.map(({ activity_type, metadata }: { activity_type: string; metadata: object }) => [
      activity_type,
      metadata,
    ]),
    [
      ['dealflow_updated', { fields: ['notes'] }],
      ['dealflow_updated', { fields: ['probability'] }],
      ['dealflow_stage_changed', { from: 'initial', to: 'meeting' }],
      ['dealflow_created', { stage: 'initial' }],
    ],
  )
  assert.ok(data.every((record: { company_id: string }) => record.company_id === company_id))
})

test('deals are filtered by stage, status and company', async () => {
  const other = (await api.call('POST', '/api/companies', { name: 'Other' })).body.data.id
  const { id } = await create({ company_id: other, stage: 'term_sheet', status: 'won' })
  for (const query of [
    'stage=term_sheet',
    'status=won',
    `company_id=${other}`,
    `company_id=${other}&company_id=cmp_nothing`,
    'stage=term_sheet&status=won',
  ]) {
    const { body } = await api.call('GET', `/api/dealflow?${query}`)
    assert.deepEqual(
      body.data.map((deal: { id: string }) => deal.id),
      [id],
      query,
    )
    assert.equal(body.pagination.total, 1)
  }
  assert.equal((await api.call('GET', '/api/dealflow?stage=term_sheet&status=lost')).body.pagination.total, 0)
})

test('stages are in board order, each with its count and expected number of deals', async () => {
  const company = (await api.call('POST', '/api/companies', { name: 'Staged' })).body.data.id
  const status = 'counted'
  for (const [stage, probability] of [
    ['zeta_talks', 10],
    ['alpha_talks', null],
    ['meeting', 25],
    ['meeting', 30],
    ['meeting', null],
    ['closed_won', 100],
  ] as const)
    await create({ company_id: company, status, stage, probability })
  const { status: code, body } = await api.call('GET', `/api/dealflow/stages?status=${status}`)
  assert.equal(code, 200)
  const counts: [string, number, number][] = [
    ['initial', 0, 0],
    ['meeting', 3, 0.8],
    ['due_diligence', 0, 0],
    ['term_sheet', 0, 0],
    ['closed_won', 1, 0],
    ['closed_lost', 0, 0],
    ['alpha_talks', 1, 0],
    ['zeta_talks', 1, 0.1],
  ]
  assert.deepEqual(
    body.data.map((of: { stage: string; deals: number; expected: number }) => [
      ...[of.stage, of.deals],
      of.expected,
    ]),
    counts,
  )
  const everything = (await api.call('GET', '/api/dealflow/stages')).body.data
  const sum = everything.reduce((total: number, { deals }: { deals: number }) => total + deals, 0)
  assert.equal(sum, (await api.call('GET', '/api/dealflow')).body.pagination.total)
  const none = (await api.call('GET', '/api/dealflow/stages?status=No!')).body.data
  assert.ok(none.every(({ deals }: { deals: number }) => deals === 0))
})

test('the error for an invalid field names it', async () => {
  const { id } = await create()
  const wrong: [object, RegExp][] = [
    [{ probability: 101 }, /probability must be a whole number from 0 to 100 or null, not 101/],
    [{ probability: 50.5 }, /probability/],
    [{ probability: '50' }, /probability/],
    [{ stage: 'Meeting!' }, /stage/],
    [{}, /must contain at least one field/],
  ]
  for (const [patch, message] of wrong) {
    const { status, body } = await api.call('PATCH', `/api/dealflow/${id}`, patch)
    assert.equal(status, 400, JSON.stringify(patch))
    assert.match(body.details, message)
  }
  assert.equal((await api.call('PATCH', '/api/dealflow/df_none', { stage: 'meeting' })).status, 404)
})
