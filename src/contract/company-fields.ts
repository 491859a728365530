import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { assertError, dataOf, newUser } from './client.ts'
import { newCompany, newThesis, readCompany, storeFile } from './fixtures.ts'

/** The rows of the contract's table that clients can write, each with a value. */
const FIELDS: [title: string, field: string, value: unknown][] = [
  ['name: string', 'name', 'Åse & Søn “Robotics”'],
  ['country: string', 'country', 'Norway'],
  ['country_code: string, two-letter code', 'country_code', 'NO'],
  ['hq_city: string', 'hq_city', 'Trondheim'],
  ['industry_category: string', 'industry_category', 'Robotics'],
  ['activity_description: string', 'activity_description', 'Picking robots.\nFor warehouses.'],
  ['status: string', 'status', 'inactive'],
  ['revenue_eur: number', 'revenue_eur', 11_400_000.5],
  ['llm_score_overall: integer', 'llm_score_overall', 78],
  ['executives: array, stored as JSON, returned parsed', 'executives', [{ name: 'Ingrid Solberg' }, 'Ola']],
  ['financials: object, stored as JSON, returned parsed', 'financials', { 2025: { revenue_eur: 11.4 } }],
]

describe('2. Resources and their fields: Company', () => {
  test('id: string, prefix cmp_', async () => {
    assert.match((await newCompany(newUser())).id, /^cmp_\w+$/)
  })

  for (const [title, field, value] of FIELDS)
    test(title, async () => {
      const client = newUser()
      const { id } = await newCompany(client)
      const changed = await dataOf(client.patch(`/api/companies/${id}`, { [field]: value }))
      assert.deepEqual(changed[field], value)
      assert.deepEqual((await readCompany(client, id))[field], value)
      const listed = await dataOf(client.get('/api/companies'))
      assert.deepEqual(listed.find((company: { id: string }) => company.id === id)[field], value)
    })

  test('thesis_id: string, prefix th_, link to a thesis; settable on update', async () => {
    const client = newUser()
    const { id } = await newCompany(client)
    const thesis = await newThesis(client)
    assert.match(thesis.id, /^th_\w+$/)
    const linked = await dataOf(client.patch(`/api/companies/${id}`, { thesis_id: thesis.id }))
    assert.equal(linked.thesis_id, thesis.id)
    assert.equal((await readCompany(client, id)).thesis_id, thesis.id)
  })

  test('enriched_data: object, from the object-storage enrichment profile, when available', async () => {
    const client = newUser()
    const { id } = await newCompany(client)
    assert.equal((await readCompany(client, id)).enriched_data, null)
    const other = await newCompany(client)
    await storeFile(other.id, 'profile.json', '{"summary": {"value": "Looms"}}')
    assert.deepEqual((await readCompany(client, other.id)).enriched_data, { summary: { value: 'Looms' } })
  })

  test('status: value active is used (it is the default)', async () => {
    assert.equal((await newCompany(newUser())).status, 'active')
  })
})

describe('2. Resources and their fields: Company, what the contract leaves open', () => {
  test('only the name is required', async () => {
    const client = newUser()
    await dataOf(client.post('/api/companies', { name: 'Nordlys' }), 201)
    await assertError(client.post('/api/companies', { country: 'Norway' }), 400, /name is required/)
  })

  for (const [, field, value] of FIELDS.filter(([, field]) => !['name', 'status'].includes(field)))
    test(`null clears ${field}`, async () => {
      const client = newUser()
      const { id } = await newCompany(client, { [field]: value })
      await dataOf(client.patch(`/api/companies/${id}`, { [field]: null }))
      assert.equal((await readCompany(client, id))[field], null)
    })

  for (const [field, value] of [
    ['name', 5],
    ['country_code', 'ZZ'],
    ['revenue_eur', '11 million'],
    ['llm_score_overall', 78.5],
    ['executives', { name: 'Ingrid' }],
    ['financials', []],
  ] as const)
    test(`an invalid ${field} is a 400 that names the field`, async () => {
      await assertError(
        newUser().post('/api/companies', { name: 'Nordlys', [field]: value }),
        400,
        new RegExp(field),
      )
    })

  test('an unknown field is a 400 that names it', async () => {
    await assertError(newUser().post('/api/companies', { name: 'Nordlys', contry: 'NO' }), 400, /contry/)
  })
})
