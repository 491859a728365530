import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql } from 'kysely'
import { type TestApp, testApp } from '#src/testing/app.ts'

let api: TestApp
before(async () => {
  api = await testApp({ EMBEDDINGS: 'off' })
})
after(() => api.close())

test('the fields of each kind of record are listed with their operators', async () => {
  const companies = await api.call('GET', '/api/fields')
  assert.equal(companies.status, 200)
  const byName = new Map(companies.body.data.map((field: { name: string }) => [field.name, field]))
  assert.deepEqual(byName.get('status'), {
    id: null,
    entity: 'company',
    key: 'status',
    name: 'status',
    label: 'Status',
    type: 'select',
    operators: ['eq', 'ne', 'in', 'not_in', 'is_empty', 'is_not_empty'],
    is_sortable: true,
    options: ['active', 'inactive', 'acquired', 'public'].map((id) => ({
      id,
      label: id[0]?.toUpperCase() + id.slice(1),
    })),
    currency: null,
    required: true,
    has_values: true,
    archived: false,
    updated_at: null,
  })
  assert.equal(companies.body.pagination.total, companies.body.data.length)
  for (const name of [
    'has_deal',
    'deal_stage',
    'thesis_code',
    'created_at',
    'llm_score_overall',
    'executives',
  ])
    assert.ok(byName.has(name), name)
  for (const [entity, name] of [
    ['deal', 'company_name'],
    ['thesis', 'code'],
    ['activity', 'user_email'],
  ]) {
    const { body } = await api.call('GET', `/api/fields?entity=${entity}`)
    assert.ok(
      body.data.some((field: { name: string }) => field.name === name),
      entity,
    )
  }
  const page = await api.call('GET', '/api/fields?entity=company&limit=2&offset=1')
  assert.deepEqual(
    page.body.data.map(({ name }: { name: string }) => name),
    ['name', 'country'],
  )
})

test('an unknown kind of record is a 400', async () => {
  const { status, body } = await api.call('GET', '/api/fields?entity=spaceship')
  assert.equal(status, 400)
  assert.match(
    body.details,
    /^entity must be one of company, deal, thesis, person, note, decision, task, file, activity, not "spaceship"/,
  )
})

test('the stages to filter by are the configured ones, then those that deals are still in', async () => {
  const options = async (entity: string, name: string) => {
    const { body } = await api.call('GET', `/api/fields?entity=${entity}`)
    return body.data.find((field: { name: string }) => field.name === name).options
  }
  const url = '/api/dealflow/stages/config'
  const before = (await api.call('GET', url)).body.data
  const company = await api.call('POST', '/api/companies', { name: 'Staged' })
  const deal = { company_id: company.body.data.id, stage: 'left_over' }
  assert.equal((await api.call('POST', '/api/dealflow', deal)).status, 201)
  const stages = [
    { key: 'ic_review', label: 'IC review' },
    { key: before.stages[0].key, label: 'First look' },
  ]
  assert.equal((await api.call('PUT', url, { stages })).status, 200)
  const expected = [
    { id: 'ic_review', label: 'IC review' },
    { id: before.stages[0].key, label: 'First look' },
    { id: 'left_over', label: 'Left over' },
  ]
  assert.deepEqual(await options('deal', 'stage'), expected)
  assert.deepEqual(await options('company', 'deal_stage'), expected)
})

test('no custom field has the name or the label of a built-in one', async () => {
  for (const entity of ['company', 'deal']) {
    const { body } = await api.call('GET', `/api/fields?entity=${entity}`)
    for (const { key, label } of body.data) {
      const withKey = await api.call('POST', '/api/fields', { entity, key, label: 'Free', type: 'text' })
      assert.equal(withKey.status, 400, key)
      assert.match(withKey.body.details, /^key must not be the name of a built-in field, such as /)
      const input = { entity, key: 'free', label: ` ${label.toUpperCase()}`, type: 'text' }
      const withLabel = await api.call('POST', '/api/fields', input)
      assert.equal(withLabel.status, 409, label)
      assert.equal(withLabel.body.details, `label must be unique: a built-in field has the label ${label}.`)
    }
  }
  const created = await api.call('POST', '/api/fields', { entity: 'deal', label: 'Has a deal', type: 'text' })
  assert.deepEqual([created.status, created.body.data.key], [201, 'has_a_deal'], 'it is one of companies')
  const url = `/api/fields/${created.body.data.id}`
  assert.equal((await api.call('PATCH', url, { label: 'Stage' })).status, 409)
  assert.equal((await api.call('PATCH', url, { label: 'Has a deal', required: true })).status, 200)
  await sql`update fields set label = 'Stage' where id = ${created.body.data.id}`.execute(api.context.db)
  assert.equal((await api.call('PATCH', url, { label: 'Stage', required: false })).status, 200)
})
