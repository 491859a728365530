import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { assertError, bodyOf, dataOf, newUser, unique } from './client.ts'
import { newCompany, newDeal } from './fixtures.ts'

const idsOf = (deals: { id: string }[]) => deals.map(({ id }) => id)

describe('2. Resources and their fields: Dealflow entry', () => {
  test('id: string; company_id: string (cmp_ id); status: string', async () => {
    const { id, company_id, status } = await newDeal(newUser())
    assert.equal(typeof id, 'string')
    assert.match(company_id, /^cmp_\w+$/)
    assert.equal(typeof status, 'string')
  })

  test('stage: string (values initial and meeting are used)', async () => {
    const client = newUser()
    for (const stage of ['initial', 'meeting']) assert.equal((await newDeal(client, { stage })).stage, stage)
  })

  test('probability: integer, percent-like (20 and 40 used)', async () => {
    const client = newUser()
    for (const probability of [0, 20, 40, 100])
      assert.equal((await newDeal(client, { probability })).probability, probability)
  })

  test('notes: string', async () => {
    assert.equal((await newDeal(newUser(), { notes: 'Met at a trade fair.' })).notes, 'Met at a trade fair.')
  })
})

describe('3. States and transitions: Dealflow stage', () => {
  test('PATCH /api/dealflow/:id changes stage, probability and notes together', async () => {
    const client = newUser()
    const { id } = await newDeal(client, { stage: 'initial', probability: 20, notes: 'First call.' })
    const change = { stage: 'meeting', probability: 40, notes: 'Second meeting.' }
    const changed = await dataOf(client.patch(`/api/dealflow/${id}`, change))
    assert.deepEqual({ ...changed, ...change }, changed)
  })

  test('PATCH /api/dealflow/:id changes stage, probability and notes separately', async () => {
    const client = newUser()
    const before = { stage: 'initial', probability: 20, notes: 'First call.' }
    const { id } = await newDeal(client, before)
    let expected = before
    for (const change of [{ stage: 'meeting' }, { probability: 40 }, { notes: 'Second meeting.' }]) {
      expected = { ...expected, ...change }
      const { stage, probability, notes } = await dataOf(client.patch(`/api/dealflow/${id}`, change))
      assert.deepEqual({ stage, probability, notes }, expected)
    }
  })
})

describe('4. Endpoints: Dealflow', () => {
  test('POST /api/dealflow: company_id, stage, probability, notes; created entry', async () => {
    const client = newUser()
    const { id: company_id } = await newCompany(client)
    const body = { company_id, stage: 'initial', probability: 20, notes: 'Met at a trade fair.' }
    const deal = await dataOf(client.post('/api/dealflow', body), 201)
    assert.deepEqual({ ...deal, ...body }, deal)
    const listed = await dataOf(client.get('/api/dealflow'))
    assert.equal(listed.find(({ id }: { id: string }) => id === deal.id).notes, body.notes)
  })

  for (const filter of ['stage', 'status'])
    test(`GET /api/dealflow: ${filter} (filter)`, async () => {
      const client = newUser()
      const value = unique()
      const deal = await newDeal(client)
      await newDeal(client)
      await dataOf(client.patch(`/api/dealflow/${deal.id}`, { [filter]: value }))
      assert.deepEqual(idsOf(await dataOf(client.get(`/api/dealflow?${filter}=${value}`))), [deal.id])
    })
})

describe('4. Endpoints: Dealflow, what the contract leaves open', () => {
  test('the list has pagination like every list; the default limit is 1,000, newest first', async () => {
    const client = newUser()
    const stage = unique()
    const ids = []
    for (let n = 0; n < 3; n++) ids.unshift((await newDeal(client, { stage })).id)
    const { data, pagination } = await bodyOf(client.get(`/api/dealflow?stage=${stage}`))
    assert.deepEqual(idsOf(data), ids)
    assert.deepEqual(pagination, { total: 3, limit: 1000, offset: 0, hasMore: false })
  })

  test('a new entry has the stage initial and the status active', async () => {
    const { stage, status, probability, notes } = await newDeal(newUser())
    assert.deepEqual([stage, status, probability, notes], ['initial', 'active', null, null])
  })

  test('any stage may follow any other', async () => {
    const client = newUser()
    const { id } = await newDeal(client, { stage: 'meeting' })
    for (const stage of ['initial', 'closed_won', unique(), 'meeting'])
      assert.equal((await dataOf(client.patch(`/api/dealflow/${id}`, { stage }))).stage, stage)
  })

  test('a probability outside 0 to 100 is a 400', async () => {
    const client = newUser()
    const { id } = await newDeal(client)
    for (const probability of [-1, 101, 20.5, '20'])
      await assertError(client.patch(`/api/dealflow/${id}`, { probability }), 400, /probability/)
  })

  test('an unknown entry is a 404', async () => {
    await assertError(newUser().patch('/api/dealflow/df_none', { stage: 'meeting' }), 404, /df_none/)
  })
})
