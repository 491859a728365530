import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { COUNTERS } from '#src/counters.ts'
import { foldCounters } from '#src/platform/database/counters.ts'
import { type TestApp, testApp } from '#src/testing/app.ts'
import { ada } from '#src/testing/settings.ts'

const ben = 'ben@example.com'
const asBen = { headers: { 'x-user-email': ben } }

let api: TestApp
before(async () => {
  api = await testApp({ EMBEDDINGS: 'off' })
  for (const email of [ada, ben]) await api.call('GET', `/api/users/${email}`)
})
after(() => api.close())

const create = async (fields: object) =>
  (await api.call('POST', '/api/companies', { name: 'Tagged', ...fields })).body.data
const read = async (id: string) => (await api.call('GET', `/api/companies/${id}`)).body.data.company
const list = async (query: string) => (await api.call('GET', `/api/companies?${query}`)).body
const namesOf = async (query: string) => (await list(query)).data.map(({ name }: { name: string }) => name)
const tagList = async (query = '') =>
  (await api.call('GET', `/api/tags${query}`)).body.data.map(
    ({ name, companies }: { name: string; companies: number }) => [name, companies],
  )
const importCsv = async (csv: string) =>
  (
    await api.call('POST', '/api/companies/import', csv, {
      headers: { 'x-user-email': ada, 'content-type': 'text/csv' },
    })
  ).body.data

test('tags are stored sorted and without duplicates, and have a history that can be undone', async () => {
  const company = await create({ tags: [' Robots ', 'ai', 'AI', 'deep   tech'] })
  assert.deepEqual(company.tags, ['Robots', 'ai', 'deep tech'])
  const same = await api.call('PATCH', `/api/companies/${company.id}`, {
    tags: ['ai', 'deep tech', 'Robots'],
  })
  assert.equal(same.headers['x-action-id'], undefined)
  const changed = await api.call('PATCH', `/api/companies/${company.id}`, { tags: [] })
  assert.deepEqual(changed.body.data.tags, [])
  const [entry] = (await api.call('GET', `/api/companies/${company.id}/history?field=tags`)).body.data
  assert.deepEqual([entry.from, entry.to], [['Robots', 'ai', 'deep tech'], []])
  await api.call('POST', `/api/actions/${changed.headers['x-action-id']}/undo`, {})
  assert.deepEqual((await read(company.id)).tags, ['Robots', 'ai', 'deep tech'])
  await api.call('DELETE', `/api/companies/${company.id}`)
  assert.deepEqual(await tagList(), [])
  await api.call('POST', `/api/trash/${company.id}/restore`)
  assert.deepEqual((await read(company.id)).tags, ['Robots', 'ai', 'deep tech'])
  assert.equal((await tagList()).length, 3)
  await api.call('DELETE', `/api/companies/${company.id}`)
})

test('an invalid tag is a 400 that says what is allowed', async () => {
  for (const [tags, message] of [
    [
      ['a;b'],
      /tags\[0\] must be text of 1 to 64 characters that is not blank and has no semicolons, not "a;b"\./,
    ],
    [[' '], /tags\[0\] must be text/],
    [['x'.repeat(65)], /tags\[0\]/],
    ['AI', /tags must be an array of 0 to 50 items, not "AI"/],
    [Array.from({ length: 51 }, (_value, n) => `t${n}`), /tags must be an array of 0 to 50 items/],
  ] as const) {
    const { status, body } = await api.call('POST', '/api/companies', { name: 'Invalid', tags })
    assert.equal(status, 400)
    assert.match(body.details, message)
  }
})

test('a tag cannot be added and removed at once', async () => {
  const { id } = await create({ tags: ['a'] })
  const changes = { add_tags: ['b', ' a  b'], remove_tags: ['x', 'a b'] }
  const refused = await api.call('PATCH', '/api/companies', { ids: [id], changes })
  assert.deepEqual(
    [refused.status, refused.body.details],
    [
      400,
      'changes.remove_tags[1] must not be in add_tags: the tag "a b" cannot be added and removed at once.',
    ],
  )
  assert.deepEqual((await read(id)).tags, ['a'])
  const recased = { add_tags: ['A'], remove_tags: ['a'] }
  await api.call('PATCH', '/api/companies', { ids: [id], changes: recased })
  assert.deepEqual((await read(id)).tags, ['A'], 'the case of a tag can be changed')
  await api.call('DELETE', `/api/companies/${id}`)
})

test('bulk changes replace, add and remove tags, and set the owner', async () => {
  const [one, two] = [await create({ tags: ['a', 'b'] }), await create({ tags: ['c'] })]
  const ids = [one.id, two.id]
  const change = (changes: object) => api.call('PATCH', '/api/companies', { ids, changes })
  const { body } = await change({
    add_tags: ['New', 'C'],
    remove_tags: ['B'],
    owner_email: 'BEN@example.com',
  })
  assert.deepEqual([body.data.updated, body.data.unchanged], [2, 0])
  const [first, second] = [await read(one.id), await read(two.id)]
  assert.deepEqual(
    [first.tags, second.tags],
    [
      ['C', 'New', 'a'],
      ['New', 'c'],
    ],
  )
  assert.deepEqual([first.owner_email, second.owner_email], [ben, ben])
  const again = await change({ add_tags: ['new'] })
  assert.deepEqual(again.body.data, { updated: 0, unchanged: 2, action_id: null })
  await api.call('POST', `/api/actions/${body.data.action_id}/undo`, {})
  assert.deepEqual([(await read(one.id)).tags, (await read(two.id)).owner_email], [['a', 'b'], null])
  assert.equal((await change({ tags: [] })).body.data.updated, 2)
  const many = await change({ tags: Array.from({ length: 50 }, (_value, n) => `t${n}`), add_tags: ['t51'] })
  assert.equal(many.status, 400)
  assert.match(many.body.details, /add_tags would give cmp_\w+ 51 tags\. A company has at most 50/)
  await api.call('DELETE', '/api/companies', { ids })
})

test('a tag is renamed, merged and removed for all companies as one action', async () => {
  const companies: { id: string }[] = []
  for (const tags of [['ML'], ['ML', 'Machine learning'], ['Machine learning'], ['Other/one?']])
    companies.push(await create({ tags }))
  assert.deepEqual(await tagList(), [
    ['ML', 2],
    ['Machine learning', 2],
    ['Other/one?', 1],
  ])
  const tagsNow = () => Promise.all(companies.map(async ({ id }) => (await read(id)).tags))
  const merged = await api.call('PATCH', '/api/tags/ML', { name: ' Machine  learning' })
  const { action_id } = merged.body.data
  assert.deepEqual(merged.body.data, { name: 'Machine learning', updated: 2, action_id })
  assert.deepEqual(await tagList('?search=LEARN'), [['Machine learning', 3]])
  assert.equal((await list('tags=Machine%20learning')).pagination.total, 3)
  const undone = await api.call('POST', `/api/actions/${action_id}/undo`, {})
  assert.equal(undone.body.data.reverted, 2)
  assert.deepEqual(await tagsNow(), [
    ['ML'],
    ['ML', 'Machine learning'],
    ['Machine learning'],
    ['Other/one?'],
  ])
  const encoded = encodeURIComponent('Other/one?')
  assert.equal((await api.call('PATCH', `/api/tags/${encoded}`, { name: 'other/one?' })).body.data.updated, 1)
  const removed = await api.call('DELETE', `/api/tags/${encodeURIComponent('other/one?')}`)
  assert.equal(removed.status, 204)
  assert.deepEqual((await tagsNow())[3], [])
  await api.call('POST', `/api/actions/${removed.headers['x-action-id']}/undo`, {})
  assert.deepEqual((await tagsNow())[3], ['other/one?'])
  const unchanged = await api.call('PATCH', '/api/tags/ML', { name: 'ML' })
  assert.deepEqual(unchanged.body.data, { name: 'ML', updated: 0, action_id: null })
  const unknown = await api.call('PATCH', '/api/tags/nothing', { name: 'x' })
  assert.equal(unknown.status, 404)
  assert.match(unknown.body.details, /No company and no person has the tag nothing/)
  assert.equal((await api.call('PATCH', '/api/tags/ML', { name: 'a;b' })).status, 400)
  await api.call('DELETE', '/api/companies', { ids: companies.map(({ id }) => id) })
})

test('tags of people are listed, renamed, merged and removed with those of companies as one action', async () => {
  const { id: company } = await create({ tags: ['Angel'] })
  const person = async (tags: string[]) =>
    (await api.call('POST', '/api/people', { name: 'Tagged', tags })).body.data.id as string
  const [both, one] = [await person(['Angel', 'Scout']), await person(['Scout'])]
  const tagsNow = async () => [
    (await read(company)).tags,
    ...(await Promise.all(
      [both, one].map(async (id) => (await api.call('GET', `/api/people/${id}`)).body.data.tags),
    )),
  ]
  const counts = async () => (await api.call('GET', '/api/tags')).body.data
  assert.deepEqual(await counts(), [
    { name: 'Angel', companies: 1, people: 1 },
    { name: 'Scout', companies: 0, people: 2 },
  ])
  const merged = (await api.call('PATCH', '/api/tags/Angel', { name: 'Scout' })).body.data
  assert.equal(merged.updated, 2)
  assert.deepEqual(await tagsNow(), [['Scout'], ['Scout'], ['Scout']])
  assert.deepEqual(await counts(), [{ name: 'Scout', companies: 1, people: 2 }])
  const removed = await api.call('DELETE', '/api/tags/Scout')
  assert.deepEqual([await tagsNow(), await counts()], [[[], [], []], []])
  await api.call('POST', `/api/actions/${removed.headers['x-action-id']}/undo`, {})
  const undone = await api.call('POST', `/api/actions/${merged.action_id}/undo`, {})
  assert.equal(undone.body.data.reverted, 2)
  assert.deepEqual(await tagsNow(), [['Angel'], ['Angel', 'Scout'], ['Scout']])
  assert.equal((await api.call('PATCH', '/api/tags/Scout', { name: 'scout' })).body.data.updated, 2)
  await api.call('DELETE', `/api/people/${one}`)
  assert.deepEqual((await counts()).at(-1), { name: 'scout', companies: 0, people: 1 })
  await api.call('DELETE', `/api/people/${both}`)
  await api.call('DELETE', `/api/companies/${company}`)
})

test('lists, facets and exports filter by tag and owner, and me is the caller', async () => {
  const made = [
    await create({ name: 'Both', tags: ['x', 'y'], owner_email: ada, country_code: 'DE' }),
    await create({ name: 'One', tags: ['x'], owner_email: ben }),
    await create({ name: 'None', country_code: 'DE' }),
  ]
  assert.deepEqual(await namesOf('tags=x'), ['One', 'Both'])
  assert.deepEqual(await namesOf('tags=x&owner_email=me'), ['Both'])
  assert.deepEqual(await namesOf('owner_email=BEN@example.com&search=one'), ['One'])
  assert.deepEqual(await namesOf('tags=X'), [])
  assert.deepEqual(await namesOf('tags=x&sort=name&limit=1&offset=1'), ['One'])
  assert.deepEqual((await list('tags=x&limit=0')).pagination, {
    total: 2,
    limit: 0,
    offset: 0,
    hasMore: true,
  })
  await foldCounters(api.context.db, COUNTERS)
  assert.equal((await list('tags=x&country_code=DE')).pagination.total, 1)
  const facets = async (query: string) => (await api.call('GET', `/api/companies/facets?${query}`)).body.data
  const all = await facets('')
  assert.deepEqual(all.tags, [
    { value: 'x', count: 2 },
    { value: 'y', count: 1 },
    { value: null, count: 1 },
  ])
  assert.deepEqual(all.owner_email, [
    { value: ada, count: 1 },
    { value: ben, count: 1 },
    { value: null, count: 1 },
  ])
  const german = await facets('country_code=DE&tags=y&owner_email=me')
  assert.equal(german.total, 1)
  assert.deepEqual(german.tags, [
    { value: 'x', count: 1 },
    { value: 'y', count: 1 },
  ])
  assert.deepEqual(german.owner_email, [{ value: ada, count: 1 }])
  assert.deepEqual(german.country_code, [{ value: 'DE', name: 'Germany', count: 1 }])
  const { body: csv } = await api.call('GET', '/api/companies/export?tags=y')
  assert.match(csv, /,x; y,ada@example\.com,/)
  const anonymous = await api.call('GET', '/api/companies?owner_email=me', undefined, { headers: {} })
  assert.equal(anonymous.status, 400)
  assert.match(anonymous.body.details, /owner_email=me requires a user/)
  await api.call('DELETE', '/api/companies', { ids: made.map(({ id }) => id) })
})

test('imports read tags and owners, and an export imports without changes', async () => {
  const report = await importCsv(
    `name,tags,owner email\nFirst,"a; b;A",${ben.toUpperCase()}\nSecond,=1+1;c,\nThird,,someone@example.com\n`,
  )
  assert.deepEqual([report.created, report.failed, report.ignored_columns], [3, 0, []])
  const [{ column, value, message }] = report.bad_cells
  assert.deepEqual([column, value], ['owner email', 'someone@example.com'])
  assert.match(message, /^owner_email must be the email address or the name of a user/)
  const [, second, first] = (await list('search=')).data
  assert.deepEqual([first.tags, first.owner_email, second.tags], [['a', 'b'], ben, ['=1+1', 'c']])
  const { body: csv } = await api.call('GET', '/api/companies/export')
  const again = await importCsv(csv)
  assert.deepEqual([again.unchanged, again.updated, again.failed], [3, 0, 0])
})

test('deals have an owner, who is a user', async () => {
  const { id: company_id } = await create({})
  const unknown = await api.call('POST', '/api/dealflow', { company_id, owner_email: 'no@example.com' })
  assert.equal(unknown.status, 400)
  assert.match(unknown.body.details, /owner_email must be the email address of a user, not "no@example\.com"/)
  const deal = (await api.call('POST', '/api/dealflow', { company_id, owner_email: ada }, asBen)).body.data
  assert.equal(deal.owner_email, ada)
  const mine = async (options?: object) =>
    (await api.call('GET', '/api/dealflow?owner_email=me', undefined, options)).body.pagination.total
  assert.deepEqual([await mine(), await mine(asBen)], [1, 0])
  const changed = await api.call('PATCH', `/api/dealflow/${deal.id}`, { owner_email: ben })
  assert.equal(changed.body.data.owner_email, ben)
  assert.deepEqual([await mine(), await mine(asBen)], [0, 1])
  await api.call('POST', `/api/actions/${changed.headers['x-action-id']}/undo`, {})
  assert.equal((await api.call('GET', `/api/dealflow/${deal.id}`)).body.data.owner_email, ada)
  for (const url of [`/api/dealflow/${deal.id}`, `/api/companies/${company_id}`]) {
    assert.equal((await api.call('PATCH', url, { owner_email: 'no@example.com' })).status, 400)
    assert.equal((await api.call('PATCH', url, { owner_email: null })).status, 200)
  }
})
