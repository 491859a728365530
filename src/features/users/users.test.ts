import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql } from 'kysely'
import { type TestApp, testApp } from '#src/testing.ts'

let api: TestApp
before(async () => {
  api = await testApp()
})
after(() => api.close())

test('a user is made on first lookup, with the defaults', async () => {
  const { status, body } = await api.call('GET', '/api/users/New.User@Example.com')
  assert.equal(status, 200)
  const { email, name, role, preferences } = body.data
  assert.deepEqual(
    { email, name, role, preferences },
    {
      email: 'new.user@example.com',
      name: null,
      role: 'member',
      preferences: { view_mode: 'comfortable', notifications_enabled: true },
    },
  )
})

test('users are listed by their e-mail addresses', async () => {
  for (const email of ['zoe@example.com', 'Bea@example.com', 'al-b@example.com', 'al.c@example.com'])
    await api.call('GET', `/api/users/${email}`)
  const { status, body } = await api.call('GET', '/api/users')
  assert.equal(status, 200)
  const emails = body.data.map(({ email }: { email: string }) => email)
  assert.deepEqual(emails, emails.toSorted())
  assert.ok(emails.includes('bea@example.com'))
  assert.deepEqual(body.pagination, { total: emails.length, limit: 1000, offset: 0, hasMore: false })
  assert.deepEqual(body.data[0], (await api.call('GET', `/api/users/${emails[0]}`)).body.data)
  const second = (await api.call('GET', '/api/users?limit=1&offset=1')).body
  assert.deepEqual([second.data[0].email, second.pagination.hasMore], [emails[1], true])
})

test('lookups at the same moment make one user', async () => {
  const answers = await Promise.all(
    Array.from({ length: 20 }, () => api.call('GET', '/api/users/twin@example.com')),
  )
  assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([200]))
  assert.equal(new Set(answers.map(({ body }) => body.data.created_at)).size, 1)
  const { rows } = await sql`select 1 from users where email = 'twin@example.com'`.execute(api.context.db)
  assert.equal(rows.length, 1)
})

test('preferences that are not named stay', async () => {
  await api.call('PATCH', '/api/users/ada@example.com', { preferences: { view_mode: 'compact' } })
  const { body } = await api.call('PATCH', '/api/users/ADA@example.com', {
    preferences: { notifications_enabled: false },
  })
  assert.deepEqual(body.data.preferences, { view_mode: 'compact', notifications_enabled: false })
})

test('what is wrong is refused by name', async () => {
  const wrong: [object, RegExp][] = [
    [
      { preferences: { view_mode: 'huge' } },
      /preferences.view_mode must be one of comfortable, compact, not "huge"/,
    ],
    [
      { preferences: { notifications_enabled: 'yes' } },
      /preferences.notifications_enabled must be a boolean/,
    ],
    [{ preferences: {} }, /preferences must name at least one/],
    [{ role: 'admin' }, /preferences is required|role is not a known field/],
    [
      { preferences: { theme: 'dark' } },
      /theme is not a known field. Known here: view_mode, notifications_enabled/,
    ],
  ]
  for (const [body, message] of wrong) {
    const answer = await api.call('PATCH', '/api/users/ada@example.com', body)
    assert.equal(answer.status, 400, JSON.stringify(body))
    assert.match(answer.body.details, message)
  }
  for (const email of ['nobody', 'a@b@c', 'a b@c.d', `${'x'.repeat(300)}@example.com`, '<script>@x'])
    assert.equal((await api.call('GET', `/api/users/${encodeURI(email)}`)).status, 400, email)
})
