import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { dataOf, newUser } from './client.ts'
import { newCompany, newDeal, newThesis } from './fixtures.ts'

const TOTALS = ['companies_total', 'companies_active', 'dealflow_active', 'theses_active']

describe('4. Endpoints: Stats', () => {
  test('GET /api/stats: {data: {companies_total, companies_active, dealflow_active, theses_active}}, all integers', async () => {
    const stats = await dataOf(newUser().get('/api/stats'))
    for (const total of TOTALS) assert.ok(Number.isInteger(stats[total]), total)
  })

  test('totals are current; active ones are those with the status active', async () => {
    const client = newUser()
    const read = async () => {
      const stats = await dataOf(client.get('/api/stats'))
      return TOTALS.map((total) => stats[total])
    }
    const before = await read()
    const growth = async () => (await read()).map((total, index) => total - before[index])

    const company = await newCompany(client)
    await newCompany(client, { status: 'inactive' })
    assert.deepEqual(await growth(), [2, 1, 0, 0])
    const deal = await newDeal(client)
    assert.deepEqual(await growth(), [3, 2, 1, 0])
    await newThesis(client)
    assert.deepEqual(await growth(), [3, 2, 1, 1])
    await dataOf(client.patch(`/api/companies/${company.id}`, { status: 'acquired' }))
    await dataOf(client.patch(`/api/dealflow/${deal.id}`, { status: 'lost' }))
    assert.deepEqual(await growth(), [3, 1, 0, 1])
  })
})
