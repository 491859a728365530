import assert from 'node:assert/strict'
import { mkdir } from 'node:fs/promises'
import { describe, test } from 'node:test'
import { assertError, dataOf, newUser } from './client.ts'
import { newCompany, newDeal, storedFile, storeFile } from './fixtures.ts'

describe('4. Endpoints: a company in detail', () => {
  test('GET /api/companies/:id: {data: {company, dealflow, recent_activity}}', async () => {
    const client = newUser()
    const { id, name } = await newCompany(client)
    const { company, dealflow, recent_activity } = await dataOf(client.get(`/api/companies/${id}`))
    assert.deepEqual([company.id, company.name], [id, name])
    assert.equal(dealflow, null)
    assert.equal(recent_activity.length, 1)
  })

  test('the object-storage enrichment profile is enriched_data when it exists', async () => {
    const client = newUser()
    const { id } = await newCompany(client)
    await storeFile(id, 'profile.json', '{"summary": "Looms"}')
    const { company } = await dataOf(client.get(`/api/companies/${id}`))
    assert.deepEqual(company.enriched_data, { summary: 'Looms' })
  })

  test('dealflow is the associated record', async () => {
    const client = newUser()
    const deal = await newDeal(client, { stage: 'meeting' })
    const { dealflow } = await dataOf(client.get(`/api/companies/${deal.company_id}`))
    assert.deepEqual([dealflow.id, dealflow.stage], [deal.id, 'meeting'])
  })

  test('recent_activity has the latest 10 records', async () => {
    const client = newUser()
    const { id } = await newCompany(client)
    for (let revenue_eur = 1; revenue_eur <= 11; revenue_eur++)
      await dataOf(client.patch(`/api/companies/${id}`, { revenue_eur }))
    const { recent_activity } = await dataOf(client.get(`/api/companies/${id}`))
    const latest = await dataOf(client.get(`/api/activity?entity_id=${id}&limit=10`))
    assert.equal(recent_activity.length, 10)
    assert.deepEqual(recent_activity, latest)
  })

  test('each company has at most one associated dealflow record in the detail view', async () => {
    const client = newUser()
    const { id: company_id } = await newCompany(client)
    await dataOf(client.post('/api/dealflow', { company_id }), 201)
    await dataOf(client.post('/api/dealflow', { company_id }), 201)
    const { dealflow } = await dataOf(client.get(`/api/companies/${company_id}`))
    assert.equal(typeof dealflow.id, 'string')
  })
})

describe('4. Endpoints: a company in detail, what the contract leaves open', () => {
  test('dealflow is the latest active deal, or else the latest deal; deals has all of them', async () => {
    const client = newUser()
    const { id: company_id } = await newCompany(client)
    const open = async () => (await dataOf(client.post('/api/dealflow', { company_id }), 201)).id
    const ids = [await open(), await open(), await open()]
    const read = () => dataOf(client.get(`/api/companies/${company_id}`))
    assert.equal((await read()).dealflow.id, ids[2])
    await dataOf(client.patch(`/api/dealflow/${ids[2]}`, { status: 'lost' }))
    assert.equal((await read()).dealflow.id, ids[1])
    for (const id of ids.slice(0, 2)) await dataOf(client.patch(`/api/dealflow/${id}`, { status: 'lost' }))
    const { dealflow, deals } = await read()
    assert.equal(dealflow.id, ids[2])
    assert.deepEqual(deals?.map(({ id }: { id: string }) => id).sort(), ids.sort())
  })

  test('an unknown company is a 404', async () => {
    await assertError(newUser().get('/api/companies/cmp_none'), 404, /cmp_none/)
  })

  for (const [what, content] of [
    ['not valid JSON', '{"summary": '],
    ['not UTF-8 text', Buffer.from('7b2261223a22ff227d', 'hex')],
    ['an array', '[{"summary": "Looms"}]'],
    ['a string', '"Looms"'],
    ['null', 'null'],
    ['empty', ''],
  ] as const)
    test(`a profile that is ${what} gives enriched_data: null and enriched_data_error`, async () => {
      const client = newUser()
      const { id } = await newCompany(client)
      await storeFile(id, 'profile.json', content)
      await assertProfileError(client, id)
    })

  test('a profile that cannot be read gives enriched_data: null and enriched_data_error', async () => {
    const client = newUser()
    const { id } = await newCompany(client)
    await mkdir(storedFile(id, 'profile.json'), { recursive: true })
    await assertProfileError(client, id)
  })
})

async function assertProfileError(client: ReturnType<typeof newUser>, id: string): Promise<void> {
  const { company, recent_activity } = await dataOf(client.get(`/api/companies/${id}`))
  assert.equal(company.enriched_data, null)
  assert.equal(typeof company.enriched_data_error, 'string')
  assert.ok(company.enriched_data_error.length > 0)
  assert.equal(recent_activity.length, 1)
}
