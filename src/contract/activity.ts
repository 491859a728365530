import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { anonymous, assertError, bodyOf, type Client, dataOf, newUser } from './client.ts'
import { newBulkAction, newCompany, newDeal } from './fixtures.ts'

const recordsOf = (client: Client, filters: object) =>
  dataOf(client.get(`/api/activity?${new URLSearchParams(Object.entries(filters))}`))

describe('2. Resources and their fields: Activity record', () => {
  test('id: prefix act_; activity_type; entity_type; entity_id; user_email; timestamp: ISO 8601 UTC; metadata: object', async () => {
    const client = newUser()
    const { id } = await newCompany(client)
    const [record] = await recordsOf(client, { entity_id: id })
    assert.match(record.id, /^act_\w+$/)
    assert.deepEqual(
      [record.activity_type, record.entity_type, record.entity_id, record.user_email],
      ['company_created', 'company', id, client.email],
    )
    assert.match(record.timestamp, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/)
    assert.ok(Math.abs(Date.parse(record.timestamp) - Date.now()) < 60_000)
    assert.equal(Object.prototype.toString.call(record.metadata), '[object Object]')
  })
})

describe('4. Endpoints: Activity', () => {
  test('GET /api/activity: {data: [activity record], pagination}', async () => {
    const client = newUser()
    await newCompany(client)
    const { data, pagination } = await bodyOf(client.get('/api/activity'))
    assert.match(data[0].id, /^act_/)
    assert.deepEqual(Object.keys(pagination).sort(), ['hasMore', 'limit', 'offset', 'total'])
  })

  test('limit (default 50), offset (default 0)', async () => {
    const client = newUser()
    const page = await bodyOf(client.get('/api/activity'))
    assert.deepEqual([page.data.length, page.pagination.limit, page.pagination.offset], [50, 50, 0])
    const next = await bodyOf(client.get('/api/activity?limit=2&offset=1'))
    assert.deepEqual(next.data, page.data.slice(1, 3))
    assert.deepEqual([next.pagination.limit, next.pagination.offset], [2, 1])
  })

  test('entity_type (company, dealflow or bulk_action)', async () => {
    const client = newUser()
    await newDeal(client)
    await newBulkAction(client)
    for (const entity_type of ['company', 'dealflow', 'bulk_action']) {
      const records = await recordsOf(client, { entity_type, user_email: client.email })
      assert.ok(records.length > 0, entity_type)
      for (const record of records) assert.equal(record.entity_type, entity_type)
    }
  })

  test('entity_id', async () => {
    const client = newUser()
    const [one] = [await newCompany(client), await newCompany(client)]
    const records = await recordsOf(client, { entity_id: one.id })
    assert.deepEqual(
      records.map((record: { entity_id: string }) => record.entity_id),
      [one.id],
    )
  })

  test('user_email', async () => {
    const [one, other] = [newUser(), newUser()]
    const { id } = await newCompany(one)
    await newCompany(other)
    const { data, pagination } = await bodyOf(one.get(`/api/activity?user_email=${one.email}`))
    assert.deepEqual([data.length, data[0].entity_id, pagination.total], [1, id, 1])
  })
})

describe('6. Events', () => {
  test('the activity log records entries for companies, dealflow entries and bulk actions', async () => {
    const client = newUser()
    const deal = await newDeal(client)
    const action = await newBulkAction(client)
    for (const [entity_type, entity_id] of [
      ['company', deal.company_id],
      ['dealflow', deal.id],
      ['bulk_action', action.id],
    ]) {
      const [record] = await recordsOf(client, { entity_type, entity_id })
      assert.equal(record.user_email, client.email)
      assert.equal(typeof record.activity_type, 'string')
    }
  })
})

describe('4. Endpoints: Activity, what the contract leaves open', () => {
  test('newest first', async () => {
    const client = newUser()
    for (let n = 0; n < 3; n++) await newCompany(client)
    const times = (await recordsOf(client, { user_email: client.email })).map(
      ({ timestamp }: { timestamp: string }) => timestamp,
    )
    assert.deepEqual(times, times.toSorted().toReversed())
  })

  test('user_email is null without a user', async () => {
    const { id } = await newCompany(anonymous())
    const [record] = await recordsOf(newUser(), { entity_id: id })
    assert.equal(record.user_email, null)
  })

  test('a change is recorded once, and no change is not recorded', async () => {
    const client = newUser()
    const { id } = await newCompany(client)
    for (let n = 0; n < 2; n++) await dataOf(client.patch(`/api/companies/${id}`, { hq_city: 'Oslo' }))
    const types = (await recordsOf(client, { entity_id: id })).map(
      ({ activity_type }: { activity_type: string }) => activity_type,
    )
    assert.deepEqual(types, ['company_updated', 'company_created'])
  })

  test('an unknown entity_type is a 400 that names the known ones', async () => {
    await assertError(newUser().get('/api/activity?entity_type=user'), 400, /company, dealflow, bulk_action/)
  })
})
