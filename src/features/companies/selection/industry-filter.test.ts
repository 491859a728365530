import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type TestApp, testApp } from '#src/testing/app.ts'

let api: TestApp
before(async () => {
  api = await testApp()
  for (const [industry_category, status] of [
    ['Optics', 'active'],
    ['optics', 'inactive'],
    ['OPTICS', 'active'],
    ['Óptics', 'active'],
    ['Optics and more', 'active'],
    ['Médecine', 'active'],
    ['МЕДИЦИНА', 'active'],
    [null, 'active'],
  ] as const)
    await create({ industry_category, status })
})
after(() => api.close())

async function create(fields: object): Promise<string> {
  const { status, body } = await api.call('POST', '/api/companies', { name: 'Acme', ...fields })
  assert.equal(status, 201, JSON.stringify(body))
  return body.data.id
}

async function industries(query: string, path = '/api/companies'): Promise<string[]> {
  const { status, body } = await api.call('GET', `${path}?${query}`)
  assert.equal(status, 200, JSON.stringify(body))
  if (body.pagination) assert.equal(body.pagination.total, body.data.length)
  return body.data.map((company: { industry_category: string }) => company.industry_category).sort()
}

const filterOf = (leaf: object) => `filter=${encodeURIComponent(JSON.stringify(leaf))}`

test('industry_category ignores case, and nothing else', async () => {
  for (const word of ['optics', 'Optics', 'OPTICS', 'oPtIcS'])
    assert.deepEqual(await industries(`industry_category=${word}`), ['OPTICS', 'Optics', 'optics'], word)
  assert.deepEqual(await industries(`industry_category=${encodeURIComponent('médecine')}`), ['Médecine'])
  assert.deepEqual(await industries(`industry_category=${encodeURIComponent('медицина')}`), ['МЕДИЦИНА'])
  for (const none of ['optic', 'medecine', 'none', '%25'])
    assert.deepEqual(await industries(`industry_category=${none}`), [], none)
})

test('it combines with other filters, in facets, exports, and searches too', async () => {
  assert.deepEqual(await industries('industry_category=optics&status=ACTIVE'), ['OPTICS', 'Optics'])
  assert.deepEqual(await industries('industry_category=optics&industry_category=M%C3%89DECINE&sort=name'), [
    ...['Médecine', 'OPTICS', 'Optics', 'optics'],
  ])
  assert.deepEqual(await industries('industry_category=optics&search=acme'), ['OPTICS', 'Optics', 'optics'])
  const facets = (await api.call('GET', '/api/companies/facets?industry_category=optics')).body.data
  assert.equal(facets.total, 3)
  const csv = (await api.call('GET', '/api/companies/export?industry_category=optics')).body
  assert.equal(csv.trim().split('\n').length, 4)
})

test('conditions of a filter tree stay exact', async () => {
  const leaf = { field: 'industry_category', op: 'eq', value: 'optics' }
  assert.deepEqual(await industries(filterOf(leaf)), ['optics'])
  assert.deepEqual(await industries(`industry_category=OPTICS&${filterOf(leaf)}`), ['optics'])
  assert.deepEqual(await industries(filterOf({ ...leaf, op: 'in', value: ['optics', 'OPTICS'] })), [
    ...['OPTICS', 'optics'],
  ])
})

test('a new spelling is found at once', async () => {
  assert.deepEqual(await industries('industry_category=robots'), [])
  await create({ industry_category: 'Robots' })
  assert.deepEqual(await industries('industry_category=robots'), ['Robots'])
  await create({ industry_category: 'ROBOTS' })
  assert.deepEqual(await industries('industry_category=robots'), ['ROBOTS', 'Robots'])
})

test('the other simple filters of the contract ignore case', async () => {
  const id = await create({ country_code: 'NO', status: 'acquired' })
  const deal = await api.call('POST', '/api/dealflow', {
    company_id: id,
    stage: 'term_sheet',
    status: 'on_hold',
  })
  assert.equal(deal.status, 201)
  for (const path of [
    '/api/companies?country_code=no&status=Acquired',
    '/api/dealflow?stage=Term%20Sheet&status=ON_HOLD',
    '/api/activity?entity_type=Company&user_email=ADA@Example.com&limit=1',
  ]) {
    const { status, body } = await api.call('GET', path)
    assert.equal(status, 200, JSON.stringify(body))
    assert.equal(body.data.length, 1, path)
  }
})
