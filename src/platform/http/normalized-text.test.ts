import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { profileKey } from '#src/features/companies/files.ts'
import { type Answer, type TestApp, testApp } from '#src/testing/app.ts'

const DIRTY = 'Mu\u0308ller\u200b\u00a0AG'
const CLEAN = 'Müller AG'

let api: TestApp
before(async () => {
  api = await testApp({ WORKER: 'off' })
})
after(() => api.close())

const ok = ({ status, body }: Answer) => {
  assert.ok(status < 300, `${status} ${JSON.stringify(body)}`)
  return body.data
}
const post = async (url: string, fields: object) => ok(await api.call('POST', url, fields))
const get = async (url: string) => ok(await api.call('GET', url))
const names = (records: { name: string }[]) => records.map(({ name }) => name)

test('texts of a company are normalized, in lists and in free JSON too', async () => {
  const created = await post('/api/companies', {
    name: `Ｒｏｅ ${DIRTY}`,
    country: DIRTY,
    country_code: 'ｄｅ',
    hq_city: '\u200b',
    activity_description: 'One\u00a0two\n\tthree',
    status: 'Ｏｎ hold\u200b',
    website: 'https://mu\u0308ller.example/a\u200bb',
    tags: ['A\u00a0B', 'a b\u200b', DIRTY],
    executives: [{ name: DIRTY, roles: [DIRTY] }],
    financials: { '2025': { note: DIRTY, digits: 1 } },
  })
  assert.equal(created.name, `Roe ${CLEAN}`)
  assert.equal(created.country, CLEAN)
  assert.equal(created.country_code, 'DE')
  assert.equal(created.hq_city, null)
  assert.equal(created.activity_description, 'One two\n\tthree')
  assert.equal(created.status, 'on_hold')
  assert.equal(created.website, 'https://müller.example/ab')
  assert.deepEqual(created.tags, ['A B', CLEAN])
  assert.deepEqual(created.executives, [{ name: CLEAN, roles: [CLEAN] }])
  assert.deepEqual(created.financials, { '2025': { note: CLEAN, digits: 1 } })
})

test('integers of any size keep their digits beside normalized texts', async () => {
  const { status } = await api.call('POST', '/api/companies', undefined, {
    payload: `{"name": "Digits", "financials": {"a": 12345678901234567890, "b": ["${DIRTY}", 98765432109876543210]}}`,
    headers: { 'content-type': 'application/json' },
  })
  assert.equal(status, 201)
  const { payload } = await api.app.inject('/api/companies?search=Digits')
  assert.match(payload, /\{"a":12345678901234567890,"b":\["Müller AG",98765432109876543210\]\}/)
})

test('a name of invisible characters is no name', async () => {
  for (const name of ['\u200b', '\u00a0', '\u2060\ufeff ']) {
    const { status, body } = await api.call('POST', '/api/companies', { name })
    assert.equal(status, 400, JSON.stringify(name))
    assert.match(body.details, /^name must be text/)
  }
})

test('sending back what another spelling means changes nothing', async () => {
  const { id, updated_at } = await post('/api/companies', { name: CLEAN, tags: ['Öko'], hq_city: 'Zürich' })
  const patch = { name: DIRTY, tags: ['O\u0308ko\u200b'], hq_city: 'Zu\u0308rich' }
  assert.equal(ok(await api.call('PATCH', `/api/companies/${id}`, patch)).updated_at, updated_at)
  assert.equal((await api.call('GET', `/api/companies/${id}/history`)).body.data.length, 0)
})

test('a read-only field with text of another origin can be sent back as it was read', async () => {
  const { id } = await post('/api/companies', { name: 'Profiled' })
  const profile = { company_id: id, summary: { value: DIRTY }, model: DIRTY }
  await api.context.objects.write([[profileKey(id), JSON.stringify(profile)]])
  const { company } = await get(`/api/companies/${id}`)
  assert.equal(company.enriched_data.model, DIRTY)
  ok(await api.call('PATCH', `/api/companies/${id}`, { ...company, hq_city: 'Oslo' }))
})

test('texts of other records are normalized', async () => {
  const { id: company_id } = await post('/api/companies', { name: 'Owner of deals' })
  const deal = await post('/api/dealflow', {
    company_id,
    notes: `${DIRTY}\n`,
    round: DIRTY,
    source: '\u200b',
  })
  assert.deepEqual([deal.notes, deal.round, deal.source], [`${CLEAN}\n`, CLEAN, null])
  const thesis = await post('/api/theses', {
    code: 'ＡＩ\u200b-1',
    title: DIRTY,
    report_markdown: `# ${DIRTY}\n`,
  })
  assert.deepEqual([thesis.code, thesis.title, thesis.report_markdown], ['AI-1', CLEAN, `# ${CLEAN}\n`])
  const options = [{ label: DIRTY }]
  const field = await post('/api/fields', { entity: 'company', label: DIRTY, type: 'select', options })
  assert.deepEqual([field.label, field.options[0].label], [CLEAN, CLEAN])
  const note = await post('/api/fields', { entity: 'company', label: 'Note', type: 'text' })
  const custom = { [note.key]: DIRTY, [field.key]: `${CLEAN}\u200b` }
  const valued = await post('/api/companies', { name: 'Valued', custom })
  assert.deepEqual(valued.custom, { [note.key]: CLEAN, [field.key]: field.options[0].id })
  const view = await post('/api/views', { entity: 'company', name: DIRTY, search: DIRTY })
  assert.deepEqual([view.name, view.search], [CLEAN, CLEAN])
})

test('searches and filters find what is written in another way', async () => {
  const { id } = await post('/api/companies', {
    name: 'Café Zürich',
    industry_category: 'Öko',
    tags: ['Zürich'],
  })
  await post('/api/theses', { code: 'ZÜRICH', title: 'Zurich' })
  const dirty = 'Zu\u0308ri\u200bch'
  const encoded = encodeURIComponent(dirty)
  const filter = (field: string, op: string, value: unknown) =>
    `filter=${encodeURIComponent(JSON.stringify({ field, op, value }))}`
  for (const query of [
    `search=${encoded}`,
    `industry_category=${encodeURIComponent('O\u0308ko')}`,
    `tags=${encoded}`,
    filter('name', 'eq', 'Ｃafe\u0301\u00a0Zu\u0308rich'),
    filter('name', 'contains', dirty),
    filter('tags', 'in', [dirty]),
    `${filter('industry_category', 'starts_with', 'O\u0308')}&search=Caf`,
  ])
    assert.deepEqual(names(await get(`/api/companies?${query}`)), ['Café Zürich'], query)
  const body = { filter: { field: 'industry_category', op: 'eq', value: 'O\u0308ko' }, search: dirty }
  assert.deepEqual(names(await post('/api/companies/query', body)), ['Café Zürich'])
  assert.equal(
    (await get(`/api/search?q=${encoded}`)).find((found: { id: string }) => found.id === id)?.name,
    'Café Zürich',
  )
  assert.equal((await get(`/api/theses?code=${encodeURIComponent('ＺU\u0308RICH')}`)).length, 1)
  assert.deepEqual(names(await get(`/api/tags?search=${encoded}`)), ['Zürich'])
  assert.equal(ok(await api.call('PATCH', `/api/tags/${encoded}`, { name: `${dirty} 2` })).updated, 1)
  assert.deepEqual(names(await get('/api/tags?search=2')), ['Zürich 2'])
})

test('a search for invisible characters is no search', async () => {
  const all = (await api.call('GET', '/api/companies?limit=0')).body.pagination.total
  assert.equal((await api.call('GET', '/api/companies?limit=0&search=%E2%80%8B')).body.pagination.total, all)
  assert.equal((await api.call('GET', '/api/search?q=%E2%80%8B')).status, 400)
})

test('an export with a byte order mark imports again unchanged', async () => {
  const note = await post('/api/fields', { entity: 'company', label: 'Phone', type: 'text' })
  const growth = await post('/api/fields', { entity: 'company', label: 'Growth', type: 'number' })
  await post('/api/companies', {
    name: '=Bomb Zürich',
    activity_description: '-5 degrees\nand more, "quoted"',
    tags: ['+1', 'Öko'],
    custom: { [note.key]: '+49 30 1234', [growth.key]: -5 },
  })
  const { rawPayload, statusCode } = await api.app.inject('/api/companies/export?bom=true&search=bomb')
  assert.equal(statusCode, 200)
  assert.equal(rawPayload.subarray(0, 3).toString('hex'), 'efbbbf')
  assert.match(rawPayload.toString(), /,'=Bomb Zürich,.*'\+49 30 1234.*,-5/s)
  const plain = await api.app.inject('/api/companies/export?search=bomb')
  assert.equal(plain.rawPayload.subarray(0, 3).toString(), 'id,')
  const report = ok(
    await api.call('POST', '/api/companies/import', undefined, {
      payload: rawPayload,
      headers: { 'content-type': 'text/csv' },
    }),
  )
  assert.deepEqual([report.created, report.updated, report.unchanged, report.failed], [0, 0, 1, 0])
})
