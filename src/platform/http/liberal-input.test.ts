import assert from 'node:assert/strict'
import { once } from 'node:events'
import net from 'node:net'
import { after, before, test } from 'node:test'
import { profileKey } from '#src/features/companies/files.ts'
import { type TestApp, testApp } from '#src/testing/app.ts'
import { withoutTrailingSlash } from './request-input.ts'

let api: TestApp
let thesis_id: string
before(async () => {
  api = await testApp({ CORS_ORIGINS: 'https://app.example.com' })
  thesis_id = (await api.call('POST', '/api/theses', { code: 'A', title: 'A' })).body.data.id
})
after(() => api.close())

let listening: Promise<string> | undefined

/** The raw response to a raw request. */
async function raw(request: string, headers: string[], body = ''): Promise<string> {
  listening ??= api.app.listen({ port: 0, host: '127.0.0.1' })
  const { port } = new URL(await listening)
  const socket = net.connect(Number(port), '127.0.0.1')
  const lines = [`${request} HTTP/1.1`, `Host: localhost:${port}`, 'Connection: close', ...headers, '', body]
  socket.write(lines.join('\r\n'))
  let answer = ''
  socket.on('data', (chunk) => {
    answer += chunk
  })
  await once(socket, 'close')
  return answer
}

const createCompany = async (fields: object = {}) =>
  (await api.call('POST', '/api/companies', { name: 'Acme', ...fields })).body.data

const list = async (query: string) => (await api.call('GET', `/api/companies?${query}`)).body

test('an empty string is null in a nullable field and rejected in a required one', async () => {
  const company = await createCompany({ country: '', hq_city: '', website: '', thesis_id: '' })
  for (const field of ['country', 'hq_city', 'website', 'thesis_id'])
    assert.equal(company[field], null, field)
  const described = await createCompany({ activity_description: 'Robots' })
  const { body } = await api.call('PATCH', `/api/companies/${described.id}`, { activity_description: '' })
  assert.equal(body.data.activity_description, null)
  const { status, body: error } = await api.call('POST', '/api/companies', { name: '' })
  assert.equal(status, 400)
  assert.match(error.details, /^name must be text/)
})

test('empty query values are ignored', async () => {
  await createCompany()
  const { data, pagination } = await list('status=&country_code=&search=&limit=&offset=&sort=')
  assert.ok(data.length > 0)
  assert.deepEqual([pagination.limit, pagination.offset], [50, 0])
  const { status, body } = await api.call('GET', '/api/companies/search/semantic?q=')
  assert.equal(status, 400)
  assert.match(body.details, /^q is required/)
})

test('an empty header or cookie is not a credential', async () => {
  const headers = { 'x-user-email': '', authorization: '', cookie: 'service_session=' }
  const { status } = await api.call('GET', '/api/stats', undefined, { headers })
  assert.equal(status, 200)
  const user = { ...headers, 'x-user-email': 'ada@example.com' }
  const me = await api.call('GET', '/api/auth/me', undefined, { headers: user })
  assert.equal(me.body.data.email, 'ada@example.com')
})

test('words and country codes are normalized', async () => {
  const company = await createCompany({ status: ' On-Hold ', country_code: 'uk' })
  assert.deepEqual([company.status, company.country_code], ['on_hold', 'GB'])
  for (const query of ['status=On%20Hold', 'status=on-hold', 'country_code=UK', 'country_code=gb'])
    assert.ok(
      (await list(query)).data.some(({ id }: { id: string }) => id === company.id),
      query,
    )
  const { body } = await api.call('POST', '/api/dealflow', { company_id: company.id, stage: 'Due Diligence' })
  assert.equal(body.data.stage, 'due_diligence')
  const deals = (await api.call('GET', '/api/dealflow?stage=due-diligence')).body.data
  assert.equal(deals.length, 1)
  const feedback = { type: 'Bug', title: 'T', description: 'D', page: 'any text' }
  assert.equal((await api.call('POST', '/api/feedback', feedback)).status, 201)
  assert.equal((await api.call('GET', '/api/feedback')).body.data[0].type, 'bug')
  const wrong = await api.call('PATCH', `/api/companies/${company.id}`, { status: 'M&A' })
  assert.equal(wrong.status, 400)
  assert.match(wrong.body.details, /^status must be a word/)
})

test('an unknown filter value returns an empty list', async () => {
  for (const query of ['status=Nope!', 'country_code=Germany', 'thesis_id=x', 'min_score=101'])
    assert.deepEqual((await list(query)).data, [], query)
})

test('a limit over 1,000 is capped, and 0 returns only the total', async () => {
  await createCompany()
  for (const limit of ['1001', '99999999999999999999']) {
    const { data, pagination } = await list(`limit=${limit}`)
    assert.ok(data.length > 0)
    assert.equal(pagination.limit, 1000)
  }
  for (const path of ['companies', 'theses', 'activity', 'users', 'companies/search/semantic?q=acme']) {
    const { body } = await api.call('GET', `/api/${path}${path.includes('?') ? '&' : '?'}limit=0`)
    assert.deepEqual(body.data, [], path)
    assert.equal(body.pagination.limit, 0, path)
  }
  const { pagination } = await list('limit=0')
  assert.ok(pagination.total > 0)
  assert.equal(pagination.hasMore, true)
  assert.deepEqual((await list('limit=0&search=acme')).pagination.total > 0, true)
})

test('_ is ignored, and other unknown parameters are rejected on every route', async () => {
  const { id } = await createCompany()
  for (const path of ['/api/companies', `/api/companies/${id}`, '/api/stats', `/api/theses/${thesis_id}`]) {
    assert.equal((await api.call('GET', `${path}?_=1700000000`)).status, 200, path)
    const { status, body } = await api.call('GET', `${path}?stauts=active`)
    assert.equal(status, 400, path)
    assert.match(body.details, /^stauts is not a known query parameter/)
  }
})

test('a trailing slash is accepted', async () => {
  const { id } = await createCompany()
  for (const path of ['/api/companies/', '/api/companies/?limit=1', `/api/companies/${id}/`, '/api/stats/'])
    assert.equal((await api.call('GET', path)).status, 200, path)
  assert.equal((await api.call('POST', '/api/companies/', { name: 'Slash' })).status, 201)
})

test('a body without a Content-Type is JSON', async () => {
  const body = JSON.stringify({ name: 'Plain' })
  assert.match(await raw('POST /api/companies', [`Content-Length: ${body.length}`], body), /^HTTP\/1\.1 201 /)
  const text = { payload: body, headers: { 'content-type': 'text/plain' } }
  assert.equal((await api.call('POST', '/api/companies', undefined, text)).status, 415)
})

test('read-only fields are ignored whatever they hold, and unknown ones are rejected by name', async () => {
  const company = await createCompany({ thesis_id })
  await api.call('POST', '/api/dealflow', { company_id: company.id })
  const { company: read, dealflow } = (await api.call('GET', `/api/companies/${company.id}`)).body.data
  const thesis = (await api.call('GET', `/api/theses/${thesis_id}`)).body.data
  for (const [path, record, change] of [
    [`/api/companies/${company.id}`, read, { status: 'inactive' }],
    [`/api/dealflow/${dealflow.id}`, dealflow, { stage: 'meeting' }],
    [`/api/theses/${thesis_id}`, thesis, { title: 'B' }],
  ] as const) {
    const written = await api.call('PATCH', path, { ...record, ...change })
    assert.equal(written.status, 200, JSON.stringify(written.body))
    assert.ok(written.body.data.updated_at > record.updated_at, path)
    for (const [name, value] of [
      ['id', 'x'],
      ['created_at', null],
      ['updated_at', record.updated_at],
    ]) {
      const again = await api.call('PATCH', path, { ...change, [name as string]: value })
      assert.equal(again.status, 200, `${path} ${name}`)
      assert.deepEqual(again.body.data, written.body.data)
    }
    const unknown = await api.call('PATCH', path, { ...change, hue: 'red' })
    assert.equal(unknown.status, 400)
    assert.match(unknown.body.details, /^hue is not a known field/)
  }
})

test('a user, and a company with its profile, can be sent back', async () => {
  const user = (await api.call('GET', '/api/users/ada@example.com')).body.data
  const changed = { ...user, preferences: { ...user.preferences, view_mode: 'compact' } }
  const { status, body } = await api.call('PATCH', '/api/users/ada@example.com', changed)
  assert.equal(status, 200, body.details)
  assert.equal(body.data.preferences.view_mode, 'compact')
  const refused = await api.call('PATCH', '/api/users/ada@example.com', { ...body.data, role: 'admin' })
  assert.match(refused.body.details, /^role cannot be changed/)

  const { id } = await createCompany()
  await api.context.objects.write([[profileKey(id), '{"summary":"Robots"}']])
  const { company } = (await api.call('GET', `/api/companies/${id}`)).body.data
  assert.deepEqual(company.enriched_data, { summary: 'Robots' })
  const written = await api.call('PATCH', `/api/companies/${id}`, { ...company, hq_city: 'Oslo' })
  assert.equal(written.status, 200, written.body.details)
  const other = await api.call('PATCH', `/api/companies/${id}`, { enriched_data: { summary: 'Mine' } })
  assert.deepEqual(other.body.data, written.body.data)
})

test('an invalid reference names the request that creates such a record', async () => {
  const { id } = await createCompany()
  for (const [method, path, body, request] of [
    ['POST', '/api/companies', { name: 'A', thesis_id: 'th_none' }, 'POST /api/theses'],
    ['PATCH', `/api/companies/${id}`, { thesis_id: 'th_none' }, 'POST /api/theses'],
    ['PATCH', '/api/companies', { ids: ['cmp_none'], changes: { status: 'active' } }, 'POST /api/companies'],
    ['POST', '/api/dealflow', { company_id: 'cmp_none' }, 'POST /api/companies'],
  ] as const) {
    const answer = await api.call(method, path, body)
    assert.equal(answer.status, 400, path)
    assert.match(answer.body.details, new RegExp(`${request} creates one\\.$`), path)
  }
})

test('a preflight has no body, and an unknown expectation is answered with JSON', async () => {
  for (const headers of [{}, { origin: 'https://app.example.com' }, { origin: 'https://evil.example' }]) {
    const { statusCode, body } = await api.app.inject({ method: 'OPTIONS', url: '/api/companies', headers })
    assert.deepEqual([statusCode, body], [204, ''])
  }
  const answer = await raw('GET /api/stats', ['Expect: wonders'])
  assert.match(answer, /^HTTP\/1\.1 417 /)
  assert.match(answer, /"details":"The header Expect must be 100-continue\."/)
})

test('an empty body is accepted by routes without a body and rejected by others', async () => {
  const empty = { payload: '', headers: { 'content-type': 'application/json' } }
  assert.equal((await api.call('POST', '/api/auth/logout', undefined, empty)).status, 200)
  const { status, body } = await api.call('POST', '/api/companies', undefined, empty)
  assert.deepEqual([status, body.details], [400, 'The body is empty. It must be JSON.'])
})

test('a path with a million slashes is normalized in linear time', () => {
  // A backtracking regular expression would take an hour.
  const slashes = '/'.repeat(1_000_000)
  assert.equal(withoutTrailingSlash(`/api${slashes}x`), `/api${slashes}x`)
  assert.equal(withoutTrailingSlash(`/api/stats${slashes}?x=/`), '/api/stats?x=/')
  assert.equal(withoutTrailingSlash('/api/'), '/api/')
  assert.equal(withoutTrailingSlash('/assets/x/'), '/assets/x/')
})

test('prototype property names are unknown parameters', async () => {
  for (const name of ['__proto__', 'constructor', 'toString']) {
    const { status, body } = await api.call('GET', `/api/companies?${name}=x`)
    assert.equal(status, 400, name)
    assert.match(body.details, new RegExp(`^${name} is not a known query parameter`))
  }
})

test('a misspelled field is reported even if a required field is missing', async () => {
  const { body } = await api.call('POST', '/api/companies', { nmae: 'Acme' })
  assert.match(body.details, /^nmae is not a known field/)
})

test('duplicate ids count once in a bulk change', async () => {
  const { id } = await createCompany()
  const changes = { ids: [id, id], changes: { status: 'inactive' } }
  const { data } = (await api.call('PATCH', '/api/companies', changes)).body
  assert.deepEqual([data.updated, data.unchanged], [1, 0])
})

test('a part of the path that is too long is a 414 that does not repeat it', async () => {
  const { status, body } = await api.call('GET', `/api/companies/${'x'.repeat(10_000)}`)
  assert.equal(status, 414)
  assert.match(body.details, /^A part of the path is longer than 1000 characters\.$/)
})
