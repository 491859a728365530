import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { assertError, bodyOf, dataOf, newUser, unique } from './client.ts'
import { newCompanies, newCompany, newThesis, readCompany } from './fixtures.ts'

const idsOf = (companies: { id: string }[]) => companies.map(({ id }) => id)

describe('4. Endpoints: Companies', () => {
  before(() => newCompanies(newUser(), 60))

  test('GET /api/companies: {data: [company], pagination: {total, limit, offset, hasMore (boolean)}}', async () => {
    const { data, pagination } = await bodyOf(newUser().get('/api/companies'))
    assert.match(data[0].id, /^cmp_/)
    assert.deepEqual(Object.keys(pagination).sort(), ['hasMore', 'limit', 'offset', 'total'])
    assert.ok(Number.isInteger(pagination.total) && pagination.total >= 60)
    assert.equal(pagination.hasMore, true)
  })

  test('GET /api/companies: limit (integer, default 50)', async () => {
    const client = newUser()
    const page = await bodyOf(client.get('/api/companies'))
    assert.deepEqual([page.data.length, page.pagination.limit], [50, 50])
    const short = await bodyOf(client.get('/api/companies?limit=3'))
    assert.deepEqual([short.data.length, short.pagination.limit], [3, 3])
  })

  test('GET /api/companies: offset (integer, default 0)', async () => {
    const client = newUser()
    const { data, pagination } = await bodyOf(client.get('/api/companies?limit=4'))
    assert.equal(pagination.offset, 0)
    const next = await bodyOf(client.get('/api/companies?limit=2&offset=2'))
    assert.equal(next.pagination.offset, 2)
    assert.deepEqual(idsOf(next.data), idsOf(data.slice(2)))
  })

  test('GET /api/companies: hasMore is false on the last page', async () => {
    const client = newUser()
    const { total } = (await bodyOf(client.get('/api/companies?limit=1'))).pagination
    const last = await bodyOf(client.get(`/api/companies?limit=10&offset=${total - 10}`))
    assert.deepEqual([last.data.length, last.pagination.hasMore], [10, false])
  })

  for (const [filter, value, other] of [
    ['status', unique(), unique()],
    ['country_code', 'IS', 'MT'],
    ['industry_category', `Looms ${unique()}`, `Mills ${unique()}`],
  ] as const)
    test(`GET /api/companies: ${filter}`, async () => {
      const client = newUser()
      const matching = await newCompany(client, { [filter]: value })
      const nonMatching = await newCompany(client, { [filter]: other })
      const page = await bodyOf(client.get(`/api/companies?${new URLSearchParams({ [filter]: value })}`))
      assert.ok(idsOf(page.data).includes(matching.id))
      assert.ok(!idsOf(page.data).includes(nonMatching.id))
      for (const company of page.data) assert.equal(company[filter], value)
      assert.equal(page.pagination.total, page.data.length)
    })

  for (const field of ['name', 'activity_description'])
    test(`GET /api/companies: search (text match on name and description), ${field}`, async () => {
      const client = newUser()
      const word = unique()
      const { id } = await newCompany(client, { [field]: `Makes ${word} looms` })
      assert.deepEqual(idsOf(await dataOf(client.get(`/api/companies?search=${word}`))), [id])
    })

  test('POST /api/companies: name, country, country_code, hq_city, industry_category, activity_description; created company', async () => {
    const client = newUser()
    const body = {
      name: 'Nordlys Robotics',
      country: 'Norway',
      country_code: 'NO',
      hq_city: 'Trondheim',
      industry_category: 'Robotics',
      activity_description: 'Picking robots.',
    }
    const created = await dataOf(client.post('/api/companies', body), 201)
    const read = await readCompany(client, created.id)
    for (const [field, value] of Object.entries(body)) {
      assert.equal(created[field], value)
      assert.equal(read[field], value)
    }
  })

  test('PATCH /api/companies/:id: any of name, status, thesis_id (and other company fields); updated company', async () => {
    const client = newUser()
    const company = await newCompany(client, { hq_city: 'Oslo' })
    const thesis = await newThesis(client)
    for (const change of [
      { name: 'Nordlys II' },
      { status: 'inactive' },
      { thesis_id: thesis.id },
      { revenue_eur: 5, country: 'Norway' },
    ]) {
      const changed = await dataOf(client.patch(`/api/companies/${company.id}`, change))
      assert.deepEqual({ ...changed, ...change }, changed)
    }
    assert.equal((await readCompany(client, company.id)).hq_city, 'Oslo')
  })
})

describe('4. Endpoints: Companies, what the contract leaves open', () => {
  test('the list is newest first', async () => {
    const client = newUser()
    const industry_category = unique()
    const ids = []
    for (let n = 0; n < 3; n++) ids.unshift((await newCompany(client, { industry_category })).id)
    const listed = await dataOf(client.get(`/api/companies?industry_category=${industry_category}`))
    assert.deepEqual(idsOf(listed), ids)
  })

  test('search matches substrings, ignoring case and accents', async () => {
    const client = newUser()
    const word = unique()
    const { id } = await newCompany(client, { name: `Éclat${word}Ångström` })
    for (const search of [`eclat${word}`, `CLAT${word.toUpperCase()}ANG`, `Éclat${word}Ångström`])
      assert.deepEqual(
        idsOf(await dataOf(client.get(`/api/companies?${new URLSearchParams({ search })}`))),
        [id],
        search,
      )
  })

  test('search matches % and _ literally', async () => {
    const client = newUser()
    const word = unique()
    const { id } = await newCompany(client, { name: `${word} 100%_pure` })
    await newCompany(client, { name: `${word} 100 and pure` })
    const search = new URLSearchParams({ search: `${word} 100%_` })
    assert.deepEqual(idsOf(await dataOf(client.get(`/api/companies?${search}`))), [id])
  })

  test('filters are combined with AND', async () => {
    const client = newUser()
    const industry_category = unique()
    const both = await newCompany(client, { industry_category, country_code: 'NO' })
    await newCompany(client, { industry_category, country_code: 'SE' })
    const filters = `industry_category=${industry_category}&country_code=NO&status=active`
    assert.deepEqual(idsOf(await dataOf(client.get(`/api/companies?${filters}`))), [both.id])
  })

  test('country codes are case-insensitive', async () => {
    const client = newUser()
    const { id, country_code } = await newCompany(client, { country_code: 'fo' })
    assert.equal(country_code, 'FO')
    assert.ok(idsOf(await dataOf(client.get('/api/companies?country_code=fO'))).includes(id))
  })

  test('PATCH of an unknown company is a 404', async () => {
    await assertError(newUser().patch('/api/companies/cmp_none', { name: 'x' }), 404, /cmp_none/)
  })
})
