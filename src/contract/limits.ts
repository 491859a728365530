import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type Answer, assertError, bodyOf, newUser } from './client.ts'
import { newCompany } from './fixtures.ts'

/** Sends concurrent requests, and counts the successful ones and those rejected with 429. */
async function countAnswers(requests: number, ask: () => Promise<Answer>) {
  const answers = await Promise.all(Array.from({ length: requests }, ask))
  const refused = answers.filter(({ status }) => status === 429)
  for (const answer of refused) {
    await assertError(answer, 429, /Try again/)
    assert.ok(Number(answer.headers.get('retry-after')) > 0)
  }
  return { served: answers.filter(({ status }) => status < 300).length, refused: refused.length }
}

const newStart = async (client = newUser()) => {
  const { id } = await newCompany(client)
  return () => client.post('/api/bulk-actions', { action_type: 'generate_embeddings', company_ids: [id] })
}

describe('8. Limits', () => {
  test('rate, high-frequency routes: 100 requests per minute', async () => {
    const client = newUser()
    assert.deepEqual(await countAnswers(103, () => client.get('/api/stats')), { served: 100, refused: 3 })
  })

  test('rate, AI operations: 50 requests per minute', async () => {
    const client = newUser()
    const search = () => client.get('/api/companies/search/semantic?q=robots')
    assert.deepEqual(await countAnswers(52, search), { served: 50, refused: 2 })
  })

  test('rate, bulk actions: 5 requests per minute', async () => {
    assert.deepEqual(await countAnswers(7, await newStart()), { served: 5, refused: 2 })
  })
})

describe('8. Limits, what the contract leaves open', () => {
  test('limits are per user', async () => {
    const [one, other] = [newUser(), newUser()]
    await countAnswers(101, () => one.get('/api/stats'))
    await bodyOf(other.get('/api/stats'))
  })

  test('only accepted bulk actions count toward the limit of 5 per minute', async () => {
    const client = newUser()
    const start = await newStart(client)
    for (const body of [
      {},
      { action_type: 'llm_score', company_ids: [] },
      { action_type: 'llm_score', company_ids: ['cmp_none'] },
      { action_type: 'nonsense', company_ids: ['cmp_none'] },
    ])
      for (let n = 0; n < 2; n++) await assertError(client.post('/api/bulk-actions', body), 400)
    assert.deepEqual(await countAnswers(6, start), { served: 5, refused: 1 })
  })

  test('rejected bulk actions count toward the limit of 100 per minute', async () => {
    const client = newUser()
    for (let n = 0; n < 100; n++) await assertError(client.post('/api/bulk-actions', {}), 400)
    await assertError(client.get('/api/stats'), 429)
  })

  test('GET /api/auth/status is not counted', async () => {
    const client = newUser()
    const answers = await Promise.all(Array.from({ length: 105 }, () => client.get('/api/auth/status')))
    for (const answer of answers) assert.equal(answer.status, 200)
    await bodyOf(client.get('/api/stats'))
  })
})

describe('9. Versioning', () => {
  test('base path is /api with no version segment in the path', async () => {
    const client = newUser()
    await bodyOf(client.get('/api/companies'))
    await assertError(client.get('/api/v1/companies'), 404)
  })
})
