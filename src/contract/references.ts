import { describe, test } from 'node:test'
import { assertError, newUser } from './client.ts'
import { newDeal } from './fixtures.ts'

describe('References, what the contract leaves open', () => {
  test('an unknown thesis_id is a 400 that names POST /api/theses', async () => {
    const client = newUser()
    const { company_id } = await newDeal(client)
    const change = { thesis_id: 'th_none' }
    await assertError(
      client.patch(`/api/companies/${company_id}`, change),
      400,
      /th_none.*POST \/api\/theses/s,
    )
    await assertError(client.post('/api/companies', { name: 'x', ...change }), 400, /POST \/api\/theses/)
  })

  test('an unknown company_id is a 400 that names POST /api/companies', async () => {
    const response = newUser().post('/api/dealflow', { company_id: 'cmp_none' })
    await assertError(response, 400, /cmp_none.*POST \/api\/companies/s)
  })

  test('unknown company_ids are a 400 that names POST /api/companies', async () => {
    const body = { action_type: 'generate_embeddings', company_ids: ['cmp_none'] }
    await assertError(newUser().post('/api/bulk-actions', body), 400, /cmp_none.*POST \/api\/companies/s)
  })
})
