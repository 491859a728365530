import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { assertError, bodyOf, dataOf, newUser, unique } from './client.ts'
import { eventually, newCompany } from './fixtures.ts'

const SEARCH = '/api/companies/search/semantic'
const word = unique()
/** Best match first. */
const companies: { id: string }[] = []
const idsOf = (found: { id: string }[]) => found.map(({ id }) => id)

describe('4. Endpoints: semantic search', () => {
  before(async () => {
    const client = newUser()
    for (const [country_code, status, activity_description] of [
      ['NO', 'active', `${word} ${word} ${word}`],
      ['SE', 'active', `A mill that makes ${word}, cloth, yarn, felt, rope, nets and many other goods.`],
      ['NO', 'inactive', `${word} and ${'something else again, '.repeat(20)}`],
    ])
      companies.push(await newCompany(client, { country_code, status, activity_description }))
    await eventually(async () => (await dataOf(client.get(`${SEARCH}?q=${word}`))).length === 3)
  })

  test('GET /api/companies/search/semantic: list of companies by semantic similarity', async () => {
    const found = await dataOf(newUser().get(`${SEARCH}?q=${word}`))
    assert.deepEqual(idsOf(found), idsOf(companies))
    for (const company of found) assert.match(company.name, /^Nordlys/)
  })

  test('q (string, required)', async () => {
    await assertError(newUser().get(SEARCH), 400, /\bq\b/)
  })

  test('limit (integer, default 20)', async () => {
    const client = newUser()
    assert.equal((await bodyOf(client.get(`${SEARCH}?q=${word}`))).pagination.limit, 20)
    const found = await dataOf(client.get(`${SEARCH}?q=${word}&limit=2`))
    assert.deepEqual(idsOf(found), idsOf(companies.slice(0, 2)))
  })

  test('offset (integer)', async () => {
    const found = await dataOf(newUser().get(`${SEARCH}?q=${word}&offset=1`))
    assert.deepEqual(idsOf(found), idsOf(companies.slice(1)))
  })

  test('status', async () => {
    const found = await dataOf(newUser().get(`${SEARCH}?q=${word}&status=inactive`))
    assert.deepEqual(idsOf(found), idsOf(companies.slice(2)))
  })

  test('country_code', async () => {
    const found = await dataOf(newUser().get(`${SEARCH}?q=${word}&country_code=SE`))
    assert.deepEqual(idsOf(found), idsOf(companies.slice(1, 2)))
  })
})

describe('4. Endpoints: semantic search, what the contract leaves open', () => {
  test('the list has pagination like every list; the default offset is 0', async () => {
    const { pagination } = await bodyOf(newUser().get(`${SEARCH}?q=${word}&limit=2`))
    assert.deepEqual(pagination, { total: 3, limit: 2, offset: 0, hasMore: true })
  })

  test('a blank q is a 400', async () => {
    await assertError(newUser().get(`${SEARCH}?q=%20`), 400, /\bq\b/)
  })
})
