import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { anonymous, assertError, bodyOf, dataOf, newUser } from './client.ts'
import { eventually, newCompany, newDeal, newThesis, readCompany } from './fixtures.ts'

describe('Empty means absent', () => {
  for (const field of ['country', 'country_code', 'hq_city', 'industry_category', 'activity_description'])
    test(`"" in ${field} is stored as null`, async () => {
      const client = newUser()
      const created = await newCompany(client, { [field]: '' })
      assert.equal(created[field], null)
      const { id } = await newCompany(client, { [field]: field === 'country_code' ? 'NO' : 'Norway' })
      await dataOf(client.patch(`/api/companies/${id}`, { [field]: '' }))
      assert.equal((await readCompany(client, id))[field], null)
    })

  for (const field of ['thesis_id', 'revenue_eur', 'llm_score_overall', 'executives', 'financials'])
    test(`"" in ${field} is stored as null`, async () => {
      const client = newUser()
      const { id } = await newCompany(client)
      await dataOf(client.patch(`/api/companies/${id}`, { [field]: '' }))
      assert.equal((await readCompany(client, id))[field], null)
    })

  for (const field of ['notes', 'probability'])
    test(`"" in ${field} of a dealflow entry is stored as null`, async () => {
      const client = newUser()
      const { id } = await newDeal(client, { notes: 'Met.', probability: 20 })
      assert.equal((await dataOf(client.patch(`/api/dealflow/${id}`, { [field]: '' })))[field], null)
    })

  test('"" in the summary of a thesis is stored as null', async () => {
    const client = newUser()
    const { id } = await newThesis(client, { summary: 'Labor is scarce.' })
    assert.equal((await dataOf(client.patch(`/api/theses/${id}`, { summary: '' }))).summary, null)
  })

  test('"" in page and user_email of feedback counts as absent', async () => {
    await bodyOf(newUser().post('/api/feedback', { title: 'The board', page: '', user_email: '' }), 201)
  })

  test('a required field still rejects ""', async () => {
    const client = newUser()
    const { id } = await newCompany(client)
    await assertError(client.post('/api/companies', { name: '' }), 400, /name/)
    await assertError(client.patch(`/api/companies/${id}`, { name: '' }), 400, /name/)
    await assertError(client.post('/api/dealflow', { company_id: '' }), 400, /company_id/)
    await assertError(client.post('/api/feedback', { title: '' }), 400, /title/)
  })

  for (const [path, filters] of [
    ['/api/companies', 'status=&country_code=&industry_category=&search='],
    ['/api/dealflow', 'stage=&status='],
    ['/api/activity', 'entity_type=&entity_id=&user_email='],
  ] as const)
    test(`an empty query value of ${path} does not filter`, async () => {
      await newDeal(newUser())
      // The worker may be recording what it does for earlier tests. Each try has rate limits of its own.
      await eventually(async () => {
        const client = newUser()
        const totalOf = async (query: string) => (await bodyOf(client.get(path + query))).pagination.total
        const before = await totalOf('')
        const total = await totalOf(`?${filters}`)
        if (before !== (await totalOf(''))) return false
        assert.equal(total, before)
        return true
      })
    })

  test('an empty query value of semantic search does not filter, and an empty q is a 400', async () => {
    const client = newUser()
    await bodyOf(client.get('/api/companies/search/semantic?q=robots&status=&country_code=&limit='))
    await assertError(client.get('/api/companies/search/semantic?q='), 400, /\bq\b/)
  })

  for (const path of ['/api/companies', '/api/activity'])
    test(`limit= and offset= of ${path} are the defaults`, async () => {
      const { pagination } = await bodyOf(newUser().get(`${path}?limit=&offset=`))
      assert.deepEqual([pagination.limit, pagination.offset], [50, 0])
    })

  test('an empty X-User-Email counts as absent', async () => {
    const client = anonymous()
    await bodyOf(client.get('/api/companies', { 'x-user-email': '' }))
    await assertError(client.get('/api/auth/me', { 'x-user-email': '' }), 401, /./)
  })

  test('an empty service_session counts as absent', async () => {
    const client = newUser()
    const { email } = await dataOf(client.get('/api/auth/me', { cookie: 'service_session=' }))
    assert.equal(email, client.email)
  })

  test('priority_override: null counts as absent', async () => {
    const client = newUser()
    const company_ids = [(await newCompany(client)).id]
    const body = { action_type: 'generate_embeddings', company_ids, priority_override: null }
    assert.equal((await dataOf(client.post('/api/bulk-actions', body), 201)).priority, 50)
  })
})
