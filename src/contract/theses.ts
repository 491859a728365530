import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { assertError, bodyOf, dataOf, newUser, unique } from './client.ts'
import { newThesis } from './fixtures.ts'

const REPORT = '# Robots\n\n| site | need |\n|---|---|\n| small | **high** |\n'

describe('2. Resources and their fields: Thesis', () => {
  test('id: string, prefix th_; code, title, summary, status: string (active used)', async () => {
    const client = newUser()
    const written = { code: unique(), title: 'Robots for warehouses', summary: 'Labor is scarce.' }
    const { id } = await newThesis(client, written)
    assert.match(id, /^th_\w+$/)
    const { code, title, summary, status } = await dataOf(client.get(`/api/theses/${id}`))
    assert.deepEqual({ code, title, summary }, written)
    assert.equal(status, 'active')
  })
})

describe('4. Endpoints: Theses', () => {
  test('GET /api/theses: {data: [{id, code, title, summary, status}]}', async () => {
    const client = newUser()
    const { id } = await newThesis(client, { summary: 'Labor is scarce.' })
    const listed = await dataOf(client.get('/api/theses'))
    const thesis = listed.find((one: { id: string }) => one.id === id)
    for (const field of ['id', 'code', 'title', 'summary', 'status'])
      assert.equal(typeof thesis[field], 'string', field)
  })

  test('GET /api/theses/:id: full thesis including markdown report content', async () => {
    const client = newUser()
    const { id, code } = await newThesis(client, { report_markdown: REPORT })
    const thesis = await dataOf(client.get(`/api/theses/${id}`))
    assert.equal(thesis.code, code)
    assert.ok(Object.values(thesis).includes(REPORT))
  })
})

describe('4. Endpoints: Theses, what the contract leaves open', () => {
  test('the list has pagination like every list; the default limit is 1,000', async () => {
    const { data, pagination } = await bodyOf(newUser().get('/api/theses'))
    assert.deepEqual(pagination, { total: data.length, limit: 1000, offset: 0, hasMore: false })
  })

  test('an unknown thesis is a 404', async () => {
    await assertError(newUser().get('/api/theses/th_none'), 404, /th_none/)
  })
})
