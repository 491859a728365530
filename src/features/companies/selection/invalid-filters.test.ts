import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Filter } from '#src/platform/filter/schema.ts'
import { newId } from '#src/platform/ids.ts'
import { type TestApp, testApp } from '#src/testing/app.ts'

let api: TestApp
let company: string
before(async () => {
  api = await testApp()
  company = (await api.call('POST', '/api/companies', { name: 'Looms' })).body.data.id
})
after(() => api.close())

const text = (filter: Filter) => encodeURIComponent(JSON.stringify(filter))

test('a wrong filter is a 400 that names the condition', async () => {
  const leaf: Filter = { field: 'name', op: 'is_empty' }
  const wrong = { and: [leaf, { field: 'created_at', op: 'gt', value: 'soon' }] } as Filter
  for (const path of [
    '/api/companies',
    '/api/companies/facets',
    '/api/companies/export',
    '/api/dealflow',
    '/api/theses',
    `/api/companies/${company}/similar`,
  ]) {
    const filter = path.startsWith('/api/companies')
      ? wrong
      : ({
          and: [
            { field: 'created_at', op: 'gt', value: 'today' },
            { field: 'created_at', op: 'gt', value: 'soon' },
          ],
        } as Filter)
    const { status, body } = await api.call('GET', `${path}?filter=${text(filter)}`)
    assert.equal(status, 400, path)
    assert.match(body.details, /^filter\.and\[1\]\.value must be a date, not "soon"\./, path)
  }
  const payload = `{"filter":${'{"not":'.repeat(10_000)}{}${'}'.repeat(10_000)}}`
  const headers = { 'content-type': 'application/json' }
  const deep = await api.call('POST', '/api/companies/query', undefined, { payload, headers })
  assert.equal(deep.status, 400)
  for (const [filter, expected] of [
    [{ or: Array(10_000).fill(leaf) }, 400],
    [{ or: Array(30_000).fill(leaf) }, 413],
    [{ field: 'name', op: 'eq', value: 'x'.repeat(300_000) }, 400],
    [{ field: 'name', op: 'eq', value: 'x'.repeat(900_000) }, 413],
    [5, 400],
    [[], 400],
  ] as const) {
    const { status } = await api.call('POST', '/api/companies/query', { filter })
    assert.equal(status, expected)
  }
  const malformed = await api.call('GET', '/api/companies?filter=%7B')
  assert.match(malformed.body.details, /^filter must be JSON such as/)
  const capped = await api.call('POST', '/api/companies/query', { limit: 5000 })
  assert.equal(capped.body.pagination.limit, 1000)
  const sort = await api.call('POST', '/api/companies/query', {
    sort: [{ field: 'name' }, { field: 'executives' }],
  })
  assert.match(
    sort.body.details,
    /^sort\[1\]\.field must be the name of a field to sort by, not "executives"/,
  )
})

test('a huge filter is refused before it is walked through, wherever it is sent', async () => {
  const long = Array.from({ length: 51 }, () => ({ field: 'name', op: 'is_empty' }))
  const values = { field: 'name', op: 'in', value: Array(1001).fill('x') }
  const keys = Object.fromEntries(Array.from({ length: 30_000 }, (_, n) => [`key${n}`, n]))
  const wrong: [unknown, string][] = [
    [{ not: { and: [{ or: long }] } }, 'filter.not.and[0].or must have at most 50 items.'],
    [{ or: [{ and: [values] }] }, 'filter.or[0].and[0].value must have at most 1000 items.'],
    [{ not: keys }, 'filter.not must have only field, op, value, and, or, not.'],
  ]
  const tooLong = { field: 'name', op: 'eq', value: 'x'.repeat(800_000) }
  const options = { headers: { 'x-user-email': 'ada@example.com', 'if-match': '*' } }
  for (const [method, path, body] of [
    ['POST', 'companies/query', {}],
    ['PATCH', 'companies', { changes: { status: 'active' } }],
    ['DELETE', 'companies', {}],
    ['POST', 'bulk-actions', { action_type: 'generate_embeddings' }],
    ['POST', 'views', { entity: 'company', name: 'Huge' }],
    ['PATCH', 'views/view_any', {}],
  ] as const) {
    const refused = await api.call(method, `/api/${path}`, { ...body, filter: tooLong }, options)
    assert.deepEqual(
      [refused.status, refused.body.details],
      [413, 'The body must not be larger than 737280 bytes.'],
      `${method} ${path}`,
    )
    for (const [filter, error] of wrong) {
      const answer = await api.call(method, `/api/${path}`, { ...body, filter }, options)
      assert.deepEqual([answer.status, answer.body.details], [400, error], `${method} ${path}`)
    }
  }
  const filter = `${'{"not":'.repeat(80_000)}{"field":"name","op":"eq","value":12345678901234567890}${'}'.repeat(80_000)}`
  const headers = {
    'x-user-email': 'ada@example.com',
    'content-type': 'application/json',
    'idempotency-key': 'deep',
  }
  const payload = `{"entity":"company","name":"Deep","filter":${filter}}`
  const deep = await api.call('POST', '/api/views', undefined, { payload, headers })
  assert.equal(deep.status, 400)
  assert.match(deep.body.details, /is nested deeper than 20 levels/)
})

test('the body of a query has room for the ids of a bulk change', async () => {
  const ids = Array.from({ length: 10_000 }, () => newId('cmp'))
  const or = Array.from({ length: 10 }, (_value, n) => ({
    field: 'id',
    op: 'in',
    value: ids.slice(n * 1000, n * 1000 + 1000),
  }))
  // The web app asks how many of 10,000 selected companies a list of 10,000 hides.
  const { status, body } = await api.call('POST', '/api/companies/query', {
    filter: { and: [{ or }, { or }] },
  })
  assert.deepEqual([status, body.pagination?.total], [200, 0], body.details)
})
