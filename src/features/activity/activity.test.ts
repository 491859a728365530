import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql } from 'kysely'
import { COUNTERS } from '#src/counters.ts'
import { foldCounters } from '#src/platform/database/counters.ts'
import { type TestApp, testApp } from '#src/testing/app.ts'

let api: TestApp
before(async () => {
  api = await testApp()
})
after(() => api.close())

const as = (email: string) => ({ headers: { 'x-user-email': email } })

test('activity is newest first, with filters and exact totals before and after folding counters', async () => {
  const first = (await api.call('POST', '/api/companies', { name: 'A' }, as('Ben@Example.com'))).body.data.id
  await api.call('POST', '/api/companies', { name: 'B' })
  await api.call('POST', '/api/companies', { name: 'C' }, { headers: {} })
  await api.call('POST', '/api/dealflow', { company_id: first })
  const expected: [string, number][] = [
    ['', 4],
    ['entity_type=company', 3],
    ['activity_type=company_created', 3],
    ['activity_type=dealflow_created&entity_type=dealflow', 1],
    ['activity_type=dealflow_created&entity_type=company', 0],
    ['activity_type=company_created&user_email=ben@example.com', 1],
    [`activity_type=company_created&entity_id=${first}`, 1],
    ['activity_type=unheard_of', 0],
    ['entity_type=dealflow', 1],
    ['entity_type=dealflow&entity_type=Company', 4],
    ['user_email=BEN@example.com&user_email=ada@example.com&user_email=', 3],
    [`entity_id=${first}&entity_id=nothing`, 1],
    ['entity_type=bulk_action', 0],
    ['user_email=BEN@example.com', 1],
    ['user_email=ada@example.com&entity_type=company', 1],
    [`entity_id=${first}`, 1],
    [`entity_id=${first}&user_email=nobody@example.com`, 0],
  ]
  for (const folded of [false, true]) {
    if (folded) await foldCounters(api.context.db, COUNTERS)
    for (const [query, total] of expected) {
      const { status, body } = await api.call('GET', `/api/activity?${query}`)
      assert.equal(status, 200)
      assert.equal(body.pagination.total, total, query)
      assert.equal(body.data.length, total, query)
    }
  }
  const { data } = (await api.call('GET', '/api/activity')).body
  assert.equal(data[0].entity_type, 'dealflow')
  assert.equal(data[1].user_email, null)
  assert.equal(data[3].user_email, 'ben@example.com')
  assert.deepEqual(
    [...data].sort((a, b) => (a.id < b.id ? 1 : -1)),
    data,
  )
})

test('records have the current name of their entity', async () => {
  const company = (await api.call('POST', '/api/companies', { name: 'Before' })).body.data.id
  const deal = (await api.call('POST', '/api/dealflow', { company_id: company })).body.data.id
  const thesis = (await api.call('POST', '/api/theses', { code: 'NAMED', title: 'A title' })).body.data.id
  await api.call('POST', '/api/bulk-actions', {
    action_type: 'generate_embeddings',
    company_ids: [company],
  })
  await api.call('PATCH', `/api/companies/${company}`, { name: 'After' })
  const { data } = (await api.call('GET', '/api/activity?limit=1000')).body
  const nameOf = (id: string) =>
    data.find(({ entity_id }: { entity_id: string }) => entity_id === id)?.entity_name
  assert.deepEqual([company, deal, thesis].map(nameOf), ['After', 'After', 'A title'])
  const named = (type: string) =>
    data.find(({ entity_type }: { entity_type: string }) => entity_type === type)?.entity_name
  assert.equal(named('bulk_action'), null)
  await api.call('POST', '/api/companies/import', undefined, {
    payload: 'name\nImported\n',
    headers: { 'content-type': 'text/csv' },
  })
  const [imported] = (await api.call('GET', '/api/activity?limit=1')).body.data
  assert.deepEqual([imported.activity_type, imported.entity_name], ['companies_imported', null])
  const detail = (await api.call('GET', `/api/companies/${company}`)).body.data
  assert.ok(detail.recent_activity.length > 2)
  for (const { entity_name } of detail.recent_activity) assert.equal(entity_name, 'After')
})

test('the default page size is 50', async () => {
  assert.equal((await api.call('GET', '/api/activity')).body.pagination.limit, 50)
  assert.equal((await api.call('GET', '/api/activity?limit=1&offset=1')).body.data.length, 1)
})

test('an unknown entity type is a 400, and an unknown activity type gives an empty list', async () => {
  const { status, body } = await api.call('GET', '/api/activity?entity_type=spaceship')
  assert.equal(status, 400)
  assert.match(
    body.details,
    /entity_type must be one of company, dealflow, bulk_action, thesis, person, note, decision, task, file, not "spaceship"/,
  )
  for (const filter of ['activity_type=Spaceship!', 'user_email=nobody', 'entity_id=%20'])
    assert.deepEqual((await api.call('GET', `/api/activity?${filter}`)).body.data, [], filter)
})

test('actions are newest first, with filters and exact totals before and after folding counters', async () => {
  const eve = as('Eve@example.com')
  const { id } = (await api.call('POST', '/api/companies', { name: 'Eve 1' }, eve)).body.data
  await api.call('POST', '/api/companies', { name: 'Eve 2' }, eve)
  await api.call('PATCH', `/api/companies/${id}`, { name: 'Eve 3' }, eve)
  const deleted = await api.call('DELETE', `/api/companies/${id}`, undefined, eve)
  await api.call('POST', `/api/actions/${deleted.headers['x-action-id']}/undo`, {}, eve)
  const expected: [string, string[]][] = [
    ['user_email=EVE@example.com', ['undo', 'delete', 'update', 'create', 'create']],
    ['user_email=eve@example.com&kind=create', ['create', 'create']],
    ['user_email=eve@example.com&kind=merge', []],
    ['kind=undo', ['undo']],
  ]
  const { db } = api.context
  for (const folded of [false, true]) {
    if (folded) await foldCounters(db, COUNTERS)
    for (const [query, kinds] of expected) {
      const { body } = await api.call('GET', `/api/actions?${query}`)
      assert.deepEqual(
        body.data.map(({ kind }: { kind: string }) => kind),
        kinds,
        query,
      )
      assert.equal(body.pagination.total, kinds.length, query)
    }
  }
  await sql`update actions set user_email = 'erased-eve' where user_email = 'eve@example.com'`.execute(db)
  await sql`delete from actions where user_email = 'erased-eve' and kind = 'undo'`.execute(db)
  const counts = sql`select * from action_counts union all select * from action_count_deltas`
  const { rows: counted } = await sql`
    select kind, user_email, sum(n)::int as n from (${counts}) counts group by 1, 2 having sum(n) <> 0
    order by 1, 2`.execute(db)
  const { rows: stored } = await sql`
    select kind, user_email, count(*)::int as n from actions group by 1, 2 order by 1, 2`.execute(db)
  assert.deepEqual(counted, stored)
})
