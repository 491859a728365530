import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type TestApp, testApp } from '#src/testing/app.ts'
import { PRODUCTION } from '#src/testing/settings.ts'

let api: TestApp
before(async () => {
  api = await testApp({ PUBLIC_URL: 'http://localhost' })
})
after(() => api.close())

const submit = (body: object, headers: Record<string, string> = {}, on = api) =>
  on.call('POST', '/api/feedback', body, { headers: { 'x-user-email': 'ada@example.com', ...headers } })

const bug = { type: 'bug', title: 'The board forgets its filter', description: 'It does.', page: '/dealflow' }

test('without a tracker, feedback is stored in the service and its url points there', async () => {
  const { status, body } = await submit({ ...bug, user_email: 'Ben@Example.com' })
  assert.equal(status, 201)
  assert.deepEqual(Object.keys(body).sort(), ['id', 'issue_id', 'success', 'url'])
  assert.deepEqual([body.success, body.issue_id], [true, body.id])
  assert.match(body.id, /^fb_/)
  const { data } = (await api.call('GET', new URL(body.url).pathname)).body
  assert.deepEqual(
    { ...data, created_at: '', filed_at: '' },
    {
      ...bug,
      id: body.id,
      user_email: 'ben@example.com',
      state: 'filed',
      tracker: 'local',
      issue_id: body.id,
      url: body.url,
      attempts: 1,
      last_failure: null,
      created_at: '',
      filed_at: '',
    },
  )
})

test('only the title is required, and the reporter defaults to the caller', async () => {
  const read = async (body: object, headers?: Record<string, string>) => {
    const { id } = (await api.call('POST', '/api/feedback', body, { headers })).body
    return (await api.call('GET', `/api/feedback/${id}`)).body.data
  }
  const { type, description, page, user_email } = await read(
    { title: 'T' },
    { 'x-user-email': 'ada@example.com' },
  )
  assert.deepEqual([type, description, page, user_email], ['other', '', null, 'ada@example.com'])
  assert.equal((await read({ title: 'T' }, {})).user_email, null)
  assert.equal((await read({ ...bug, type: 'praise' }, {})).type, 'praise')
  assert.equal((await read({ ...bug, title: ' T ' }, {})).title, 'T')
})

test('the list is newest first and can be filtered by state', async () => {
  const { id } = (await submit(bug)).body
  const { data, pagination } = (await api.call('GET', '/api/feedback?state=filed&limit=2')).body
  assert.equal(data[0].id, id)
  assert.equal(data.length, 2)
  assert.ok(pagination.total > 2 && pagination.hasMore)
  assert.equal((await api.call('GET', '/api/feedback?state=pending')).body.pagination.total, 0)
  assert.equal((await api.call('GET', '/api/feedback?state=lost')).status, 400)
  assert.equal((await api.call('GET', '/api/feedback/fb_none')).status, 404)
})

test('the error for an invalid field names it', async () => {
  const wrong: [object, RegExp][] = [
    [{ title: '' }, /title must be text of 1 to 300 characters that is not blank/],
    [{ title: ' \n ' }, /title/],
    [{ title: 'x'.repeat(301) }, /title must be text of 1 to 300/],
    [{ title: undefined }, /title is required/],
    [{ description: 'x'.repeat(100_000) }, /description must be text of 0 to 20000 characters/],
    [{ type: 'Bug!' }, /^type must be a word of lowercase letters, .* of up to 64 characters, not "Bug!"\.$/],
    [{ type: '' }, /^type must be a word of lowercase letters, digits and _ .*, not ""\.$/],
    [{ page: 'x'.repeat(2049) }, /page must be text of 0 to 2048 characters or null/],
    [
      { user_email: 'ada' },
      /^user_email must be an email address such as ada@example\.com, of up to 254 characters, or null, not "ada"\.$/,
    ],
    [{ priority: 1 }, /priority is not a known field/],
  ]
  for (const [part, message] of wrong) {
    const { status, body } = await submit({ ...bug, ...part })
    assert.equal(status, 400, JSON.stringify(part).slice(0, 100))
    assert.match(body.details, message)
  }
  for (const part of [
    { description: 'x'.repeat(20_000) },
    { description: '<script>alert(1)</script> **@everyone**' },
    { page: 'https://deals.example.com/companies?x=1' },
    { page: 'dealflow' },
    { page: 'x'.repeat(2048) },
    { page: null, user_email: null },
  ])
    assert.equal((await submit({ ...bug, ...part })).status, 201, JSON.stringify(part).slice(0, 100))
})

test('unusual text is stored unchanged', async () => {
  for (const text of [
    '🚀👩‍👩‍👧',
    'שלום עולם',
    "'; drop table feedback; --",
    '%_\\',
    '@everyone closes #1',
    'a\r\nb\tc',
  ]) {
    const { id } = (await submit({ ...bug, title: text, description: text })).body
    const { title, description } = (await api.call('GET', `/api/feedback/${id}`)).body.data
    assert.deepEqual([title, description], [text, text])
  }
})

test("in production users cannot send feedback in another user's name", async () => {
  const production = await testApp({ ...PRODUCTION, PUBLIC_URL: '' })
  try {
    const token = await production.context.sessions.sign({ sub: 'ada', email: 'ada@example.com' })
    const send = (user_email?: string | null) =>
      submit({ ...bug, user_email }, { authorization: `Bearer ${token}`, 'x-user-email': '' }, production)
    assert.equal((await send('ben@example.com')).status, 403)
    for (const email of [undefined, null, 'Ada@example.com']) {
      const { status, body } = await send(email)
      assert.equal(status, 201)
      const headers = { authorization: `Bearer ${token}` }
      const { data } = (await production.call('GET', `/api/feedback/${body.id}`, undefined, { headers })).body
      assert.equal(data.user_email, 'ada@example.com')
    }
  } finally {
    await production.close()
  }
})

test('requests with the same key are filed once', async () => {
  const key = { 'idempotency-key': 'a key: 1' }
  const answers = await Promise.all(Array.from({ length: 10 }, () => submit(bug, key)))
  const [first] = answers
  for (const answer of [...answers, await submit({ ...bug, user_email: 'ada@example.com' }, key)]) {
    assert.equal(answer.status, 201)
    assert.deepEqual(answer.body, first?.body)
  }
  const other = await submit({ ...bug, title: 'Another' }, key)
  assert.equal(other.status, 422)
  assert.match(other.body.details, /Idempotency-Key was already used with another body/)
  const ben = await submit(bug, { ...key, 'x-user-email': 'ben@example.com' })
  assert.equal(ben.status, 201)
  assert.notEqual(ben.body.id, first?.body.id)
  assert.notEqual((await submit(bug)).body.id, (await submit(bug)).body.id)
})

test('a key has 1 to 255 printable characters', async () => {
  for (const key of ['', 'x'.repeat(256), 'é', 'a\tb']) {
    const { status, body } = await submit(bug, { 'idempotency-key': key })
    assert.equal(status, 400, key.slice(0, 20))
    assert.match(body.details, /idempotency-key must be text of 1 to 255 characters in printable ASCII/)
  }
  assert.equal((await submit(bug, { 'idempotency-key': 'x'.repeat(255) })).status, 201)
})
