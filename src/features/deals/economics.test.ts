import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql } from 'kysely'
import { type TestApp, testApp } from '#src/testing/app.ts'

let api: TestApp
let company_id: string
before(async () => {
  api = await testApp({ EMBEDDINGS: 'off' })
  company_id = (await api.call('POST', '/api/companies', { name: 'Target' })).body.data.id
})
after(() => api.close())

const create = async (deal: object = {}) =>
  (await api.call('POST', '/api/dealflow', { company_id, ...deal })).body.data
const read = async (id: string) => (await api.call('GET', `/api/dealflow/${id}`)).body.data
const change = (id: string, patch: object) => api.call('PATCH', `/api/dealflow/${id}`, patch)
const undo = (answer: { headers: Record<string, unknown> }) =>
  api.call('POST', `/api/actions/${answer.headers['x-action-id']}/undo`, {})

const TERMS = {
  amount_eur: 1_500_000.5,
  round: 'Series A',
  valuation_eur: 12_000_000,
  ownership_percent: 12.5,
  source: 'Trade fair',
  lost_reason: 'Price',
  expected_close_on: '2028-02-29',
}
const NOTHING = Object.fromEntries(Object.keys(TERMS).map((field) => [field, null]))
const termsOf = (deal: Record<string, unknown>) =>
  Object.fromEntries(Object.keys(TERMS).map((field) => [field, deal[field]]))

test('the terms of a deal are stored, cleared, kept in its history, and put back by an undo', async () => {
  const deal = await create({ ...TERMS, round: ' Series A ' })
  assert.deepEqual(termsOf(deal), TERMS)
  assert.deepEqual(termsOf(await create()), NOTHING)
  const same = await change(deal.id, { ...deal, source: 'Trade fair ' })
  assert.equal(same.headers['x-action-id'], undefined, JSON.stringify(same.body))
  const cleared = await change(deal.id, { ...NOTHING, round: '' })
  assert.deepEqual(termsOf(cleared.body.data), NOTHING)
  const { data } = (await api.call('GET', `/api/dealflow/${deal.id}/history`)).body
  assert.deepEqual(
    Object.fromEntries(data.map(({ field, from }: { field: string; from: unknown }) => [field, from])),
    TERMS,
  )
  await undo(cleared)
  assert.deepEqual(termsOf(await read(deal.id)), TERMS)
  await api.call('DELETE', `/api/dealflow/${deal.id}`)
  await api.call('POST', `/api/trash/${deal.id}/restore`)
  assert.deepEqual(termsOf(await read(deal.id)), TERMS)
})

test('invalid terms are a 400 that says what is allowed', async () => {
  const { id } = await create()
  for (const [patch, message] of [
    [{ amount_eur: -1 }, /amount_eur must be a number from 0 to .* or null, not -1/],
    [{ ownership_percent: 100.1 }, /ownership_percent must be a number from 0 to 100 or null, not 100\.1/],
    [{ expected_close_on: '2027-02-29' }, /expected_close_on must be a date such as 2026-03-02 or null/],
    [{ expected_close_on: '2027-02-20T00:00:00Z' }, /expected_close_on must be a date/],
    [{ round: 'x'.repeat(101) }, /round must be text of 1 to 100 characters that is not blank, or null/],
  ] as const) {
    const { status, body } = await change(id, patch)
    assert.equal(status, 400, JSON.stringify(patch))
    assert.match(body.details, message)
  }
})

test('the time a deal entered its stage follows every change of the stage, and only those', async () => {
  const deal = await create({ stage: 'initial' })
  assert.equal(deal.stage_entered_at, deal.created_at)
  const noted = (await change(deal.id, { notes: 'n' })).body.data
  assert.equal(noted.stage_entered_at, deal.created_at)
  const moved = await change(deal.id, { stage: 'meeting' })
  assert.equal(moved.body.data.stage_entered_at, moved.body.data.updated_at)
  const again = (await change(deal.id, { stage: 'meeting', notes: 'm' })).body.data
  assert.equal(again.stage_entered_at, moved.body.data.updated_at)
  await undo(moved)
  const back = await read(deal.id)
  assert.equal(back.stage, 'initial')
  assert.equal(back.stage_entered_at, back.updated_at)
  const stageAt = async (time: string) => {
    const { body } = await api.call('GET', `/api/companies/${company_id}?as_of=${time}`)
    const previous = body.data.deals.find(({ id }: { id: string }) => id === deal.id)
    return [previous.stage, previous.stage_entered_at]
  }
  assert.deepEqual(await stageAt(noted.updated_at), ['initial', deal.created_at])
  assert.deepEqual(await stageAt(again.updated_at), ['meeting', moved.body.data.updated_at])
  await api.call('DELETE', `/api/dealflow/${deal.id}`)
  await api.call('POST', `/api/trash/${deal.id}/restore`)
  assert.equal((await read(deal.id)).stage_entered_at, back.stage_entered_at)
})

test('a deal from the trash of an earlier version is restored', async () => {
  const { id, created_at } = await create()
  await api.call('DELETE', `/api/dealflow/${id}`)
  await sql`
    update trash set content = json_build_object('record',
      (content -> 'record')::jsonb - 'stage_entered_at' - 'owner_email') where id = ${id}`.execute(
    api.context.db,
  )
  assert.equal((await api.call('POST', `/api/trash/${id}/restore`)).status, 200)
  assert.equal((await read(id)).stage_entered_at, created_at)
})

test('stages sum up amounts, weighted by probabilities or by the default of the stage', async () => {
  const status = 'summed'
  for (const deal of [
    { stage: 'meeting', amount_eur: 1000 },
    { stage: 'meeting', amount_eur: 500, probability: 50 },
    { stage: 'meeting', probability: 90 },
    { stage: 'closed_won', amount_eur: 0.3 },
    { stage: 'closed_lost', amount_eur: 10, probability: 30 },
    { stage: 'odd', amount_eur: 77 },
  ])
    await create({ ...deal, status })
  const { data } = (await api.call('GET', `/api/dealflow/stages?status=${status}`)).body
  const of = (stage: string) => data.find((found: { stage: string }) => found.stage === stage)
  assert.deepEqual(of('meeting'), {
    stage: 'meeting',
    label: 'Meeting',
    outcome: null,
    default_probability: 20,
    deals: 3,
    expected: 1.6,
    amount_eur: 1500,
    weighted_eur: 450,
    stuck: 0,
    records: [],
  })
  const closed = ({ outcome, expected, amount_eur, weighted_eur }: Record<string, unknown>) => [
    ...[outcome, expected, amount_eur, weighted_eur],
  ]
  assert.deepEqual(closed(of('closed_won')), ['won', 0, 0.3, 0])
  assert.deepEqual(closed(of('closed_lost')), ['lost', 0, 10, 0])
  assert.deepEqual([of('odd').label, of('odd').amount_eur, of('odd').weighted_eur], ['Odd', 77, 0])
  const mine = (await api.call('GET', `/api/dealflow/stages?status=${status}&owner_email=me`)).body.data
  assert.ok(mine.every(({ deals }: { deals: number }) => deals === 0))
})

test('stages list their most likely deals, those that match a filter, and count the stuck ones', async () => {
  const { body } = await api.call('POST', '/api/companies', { name: 'Scored', industry_category: 'Robotics' })
  const of = { company_id: body.data.id, round: 'Board', stage: 'term_sheet' }
  const [likely, sure, lost, paused] = [
    await create({ ...of, probability: 60, stage: 'meeting' }),
    await create({ ...of, probability: 90 }),
    await create({ ...of, status: 'lost', probability: 80, stage: 'meeting' }),
    await create({ ...of, status: 'on_hold', probability: 10, stage: 'meeting' }),
  ]
  const old = [likely, lost, paused].map(({ id }) => id)
  await sql`
    update dealflow set stage = 'term_sheet', updated_at = now() - interval '32 days' where id = any(${old})`.execute(
    api.context.db,
  )
  const filter = encodeURIComponent(JSON.stringify({ field: 'round', op: 'eq', value: 'Board' }))
  const read = async (query: string) => {
    const { data } = (await api.call('GET', `/api/dealflow/stages?filter=${filter}&${query}`)).body
    return data.find(({ stage }: { stage: string }) => stage === 'term_sheet')
  }
  const { records, ...totals } = await read('limit=2')
  assert.deepEqual([totals.deals, totals.expected, totals.stuck], [4, 1.6, 1])
  assert.deepEqual(
    records.map(({ id }: { id: string }) => id),
    [sure.id, lost.id],
  )
  const stuck = async (value: boolean) => {
    const tree = { and: [JSON.parse(decodeURIComponent(filter)), { field: 'is_stuck', op: 'eq', value }] }
    const { data } = (
      await api.call('GET', `/api/dealflow?filter=${encodeURIComponent(JSON.stringify(tree))}&sort=id`)
    ).body
    return data.map(({ id }: { id: string }) => id)
  }
  assert.deepEqual(await stuck(true), [likely.id])
  assert.deepEqual(await stuck(false), [sure.id, lost.id, paused.id])
  assert.deepEqual(records[0], (await api.call('GET', `/api/dealflow/${sure.id}`)).body.data)
  assert.equal(records[0].company_industry_category, 'Robotics')
  assert.equal(records[0].company_llm_score_overall, null)
  assert.equal((await read('limit=2&status=active')).deals, 2)
  const wrong = await api.call('GET', '/api/dealflow/stages?filter={"field":"round","op":"gt","value":"A"}')
  assert.equal(wrong.status, 400)
  const byIndustry = JSON.stringify({ field: 'company_industry_category', op: 'eq', value: 'Robotics' })
  const listed = await api.call(
    'GET',
    `/api/dealflow?filter=${encodeURIComponent(byIndustry)}&sort=-company_llm_score_overall`,
  )
  assert.equal(listed.body.pagination.total, 4)
})

test('deals are sorted by stage in the order of the board', async () => {
  const of = { company_id, source: 'Sorted' }
  for (const stage of ['term_sheet', 'unlisted', 'initial', 'other', 'closed_lost', 'unlisted', 'meeting'])
    await create({ ...of, stage })
  const filter = encodeURIComponent(JSON.stringify({ field: 'source', op: 'eq', value: 'Sorted' }))
  const { data } = (await api.call('GET', `/api/dealflow?filter=${filter}&sort=stage`)).body
  assert.deepEqual(
    data.map(({ stage }: { stage: string }) => stage),
    ['initial', 'meeting', 'term_sheet', 'closed_lost', 'other', 'unlisted', 'unlisted'],
  )
})

test('many deals change as one action, or none does', async () => {
  const deals = [await create(), await create(), await create({ stage: 'meeting' })]
  const ids = deals.map(({ id }) => id)
  const stages = async () => Promise.all(ids.map(async (id) => (await read(id)).stage))
  const unknown = await api.call('PATCH', '/api/dealflow', {
    ids: [...ids, 'df_none'],
    changes: { stage: 'meeting' },
  })
  assert.equal(unknown.status, 400)
  assert.match(unknown.body.details, /ids must be ids of deals; none has the id df_none/)
  for (const [changes, message] of [
    [{ owner_email: 'nobody@example.com' }, /nobody@example.com/],
    [{ custom: { none: 1 } }, /none/],
    [{ probability: 101 }, /changes\.probability must be a whole number from 0 to 100/],
  ] as const) {
    const refused = await api.call('PATCH', '/api/dealflow', { ids, changes })
    assert.equal(refused.status, 400, JSON.stringify(changes))
    assert.match(refused.body.details, message)
  }
  assert.deepEqual(await stages(), ['initial', 'initial', 'meeting'])
  const moved = await api.call('PATCH', '/api/dealflow', { ids, changes: { stage: 'meeting' } })
  const { action_id, ...counts } = moved.body.data
  assert.deepEqual(counts, { updated: 2, unchanged: 1 })
  assert.equal(action_id, moved.headers['x-action-id'])
  assert.deepEqual(await stages(), ['meeting', 'meeting', 'meeting'])
  const again = await api.call('PATCH', '/api/dealflow', { ids, changes: { stage: 'meeting' } })
  assert.deepEqual(again.body.data, { updated: 0, unchanged: 3, action_id: null })
  await undo(moved)
  assert.deepEqual(await stages(), ['initial', 'initial', 'meeting'])
})

test('stages are configured as a whole, and deals in other stages come last', async () => {
  const url = '/api/dealflow/stages/config'
  const before = (await api.call('GET', url)).body.data
  assert.deepEqual(
    before.stages.map(({ key }: { key: string }) => key),
    ['initial', 'meeting', 'due_diligence', 'term_sheet', 'closed_won', 'closed_lost'],
  )
  await create({ stage: 'meeting', status: 'moved' })
  const stages = [
    { key: 'Signed Deal', label: ' Signed ', outcome: 'won' },
    { key: 'initial', label: 'First look', default_probability: 5 },
  ]
  const ifMatch = { headers: { 'x-user-email': 'ada@example.com', 'if-match': `"${before.updated_at}"` } }
  const [one, other] = await Promise.all([
    api.call('PUT', url, { stages }, ifMatch),
    api.call('PUT', url, { stages }, ifMatch),
  ])
  assert.deepEqual([one.status, other.status].sort(), [200, 412])
  const { body } = await api.call('GET', url)
  assert.equal(body.data.updated_by, 'ada@example.com')
  assert.deepEqual(body.data.stages, [
    { key: 'signed_deal', label: 'Signed', default_probability: null, outcome: 'won' },
    { key: 'initial', label: 'First look', default_probability: 5, outcome: null },
  ])
  const listed = (await api.call('GET', '/api/dealflow/stages?status=moved')).body.data
  assert.deepEqual(
    listed.map(({ stage, deals }: { stage: string; deals: number }) => [stage, deals]),
    [
      ['signed_deal', 0],
      ['initial', 0],
      ['meeting', 1],
    ],
  )
  for (const [wrong, message] of [
    [[], /stages must be an array of 1 to 50 items/],
    [
      [stages[0], { key: 'other', label: ` ${stages[0]?.label.toUpperCase()}` }],
      /stages\[1\]\.label must be unique: stages\[0\] already has the label "/,
    ],
    [[stages[0], stages[0]], /Stage keys must be unique; signed_deal appears twice in stages/],
    [[{ key: 'x', label: 'X', outcome: 'maybe' }], /outcome must be one of won, lost, or null, not/],
    [[{ key: '!', label: 'X' }], /stages\[0\]\.key must be a word/],
  ] as const) {
    const refused = await api.call('PUT', url, { stages: wrong })
    assert.equal(refused.status, 400)
    assert.match(refused.body.details, message)
  }
  assert.equal((await api.call('PUT', url, { stages: before.stages })).status, 200)
})

test('deals are filtered by fields of their company', async () => {
  const thesis = (await api.call('POST', '/api/theses', { code: 'DEALS', title: 'Deals' })).body.data.id
  const company = {
    name: 'Filtered',
    country_code: 'PT',
    tags: ['Deep  Tech'],
    owner_email: 'ada@example.com',
    thesis_id: thesis,
  }
  await api.call('GET', '/api/users/ada@example.com')
  const { id } = (await api.call('POST', '/api/companies', company)).body.data
  const deal = await create({ company_id: id })
  await create()
  const found = async (filter: object) =>
    (await api.call('GET', `/api/dealflow?filter=${encodeURIComponent(JSON.stringify(filter))}`)).body
  for (const condition of [
    { field: 'company_country_code', op: 'eq', value: 'pt' },
    { field: 'company_thesis_id', op: 'in', value: [thesis] },
    { field: 'company_owner_email', op: 'eq', value: 'ada@example.com' },
    { field: 'company_tags', op: 'in', value: [' Deep Tech'] },
    { not: { field: 'company_tags', op: 'is_empty' } },
  ]) {
    const { data, pagination } = await found(condition)
    assert.deepEqual([data[0]?.id, pagination.total], [deal.id, 1], JSON.stringify(condition))
    const others = await found({ not: condition })
    assert.ok(others.data.length > 0)
    assert.ok(others.data.every((other: { id: string }) => other.id !== deal.id))
  }
})
