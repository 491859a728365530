import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql } from 'kysely'
import { type TestApp, testApp } from '#src/testing/app.ts'
import { userWithRole } from '#src/testing/credentials.ts'
import { ada, PRODUCTION } from '#src/testing/settings.ts'
import { recordSignIn } from './create.ts'
import { MAX_CREATIONS } from './routes.ts'

let api: TestApp
before(async () => {
  api = await testApp()
})
after(() => api.close())

test('reading an unknown user creates it with the defaults', async () => {
  const { status, body } = await api.call('GET', '/api/users/New.User@Example.com')
  assert.equal(status, 200)
  const { email, name, role, preferences } = body.data
  assert.deepEqual(
    { email, name, role, preferences },
    {
      email: 'new.user@example.com',
      name: 'New User',
      role: 'member',
      preferences: { view_mode: 'comfortable', notifications_enabled: true },
    },
  )
})

test('an address without letters becomes the name; stored users keep their names', async () => {
  const nameOf = async (email: string) => (await api.call('GET', `/api/users/${email}`)).body.data.name
  assert.equal(await nameOf('007@example.com'), '007')
  await sql`update users set name = null where email = 'new.user@example.com'`.execute(api.context.db)
  assert.equal(await nameOf('new.user@example.com'), null)
  await api.call('PATCH', '/api/users/patched.first@example.com', {})
  assert.equal(await nameOf('patched.first@example.com'), 'Patched First')
})

test("the identity provider's name replaces a derived one", async () => {
  const email = 'ada.beck@example.com'
  const nameAfter = async (name: string | undefined) => {
    await recordSignIn(api.context.db, { email, name, picture: undefined })
    return (await api.call('GET', `/api/users/${email}`)).body.data.name
  }
  assert.equal(await nameAfter(undefined), 'Ada Beck')
  assert.equal(await nameAfter('Ada M. Beck'), 'Ada M. Beck')
  assert.equal(await nameAfter(undefined), 'Ada M. Beck')
})

test('users are listed by email address', async () => {
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

test('concurrent reads create one user', async () => {
  const answers = await Promise.all(
    Array.from({ length: 20 }, () => api.call('GET', '/api/users/twin@example.com')),
  )
  assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([200]))
  assert.equal(new Set(answers.map(({ body }) => body.data.created_at)).size, 1)
  const { rows } = await sql`select 1 from users where email = 'twin@example.com'`.execute(api.context.db)
  assert.equal(rows.length, 1)
})

test('preferences that are not sent keep their values', async () => {
  await api.call('PATCH', '/api/users/ada@example.com', { preferences: { view_mode: 'compact' } })
  const { body } = await api.call('PATCH', '/api/users/ADA@example.com', {
    preferences: { notifications_enabled: false },
  })
  assert.deepEqual(body.data.preferences, { view_mode: 'compact', notifications_enabled: false })
})

const change = (preferences: object, email = 'prefs@example.com') =>
  api.call('PATCH', `/api/users/${email}`, { preferences })

test('clients may add their own preferences and remove them with null', async () => {
  const columns = { companies: ['name', 'score'], widths: { name: 240.5, 'ä "b"': null } }
  const added = await change({ columns, theme: 'dark', 'x.y/z': false, view_mode: 'compact' })
  const all = {
    view_mode: 'compact',
    notifications_enabled: true,
    columns,
    theme: 'dark',
    'x.y/z': false,
  }
  assert.equal(added.status, 200)
  assert.deepEqual(added.body.data.preferences, all)
  const removed = await change({ theme: null, 'never there': null, columns: [] })
  const { theme: _, ...others } = { ...all, columns: [] }
  assert.deepEqual(removed.body.data.preferences, others)
  assert.deepEqual((await api.call('GET', '/api/users/prefs@example.com')).body.data, removed.body.data)
  const me = await api.call('GET', '/api/auth/me', undefined, {
    headers: { 'x-user-email': 'prefs@example.com' },
  })
  assert.deepEqual(me.body.data.preferences, others)
})

test('an empty change has no effect', async () => {
  const before = (await api.call('GET', '/api/users/calm@example.com')).body.data
  for (const body of [{}, { preferences: {} }, { preferences: { theme: null } }]) {
    const answer = await api.call('PATCH', '/api/users/calm@example.com', body)
    assert.equal(answer.status, 200)
    assert.deepEqual(answer.body.data, before)
  }
})

test('concurrent changes are all applied', async () => {
  const names = Array.from({ length: 20 }, (_, n) => `key_${n}`)
  const answers = await Promise.all(names.map((name) => change({ [name]: name }, 'busy@example.com')))
  assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([200]))
  const { preferences } = (await api.call('GET', '/api/users/busy@example.com')).body.data
  assert.deepEqual(
    names.filter((name) => preferences[name] !== name),
    [],
  )
})

test('at most 64 preferences and 16 KB are allowed', async () => {
  const email = 'much@example.com'
  const keys = Object.fromEntries(Array.from({ length: 62 }, (_, n) => [`k${n}`, n]))
  assert.equal((await change(keys, email)).status, 200)
  const tooMany = await change({ one: 1, more: 2 }, email)
  assert.equal(tooMany.status, 400)
  assert.match(tooMany.body.details, /preferences must have at most 64 keys, .* would make 66\. /)
  assert.equal((await change({ k0: null, one: 1 }, email)).status, 200, 'one key replaces another')

  const other = 'large@example.com'
  const empty = JSON.stringify({ view_mode: 'comfortable', notifications_enabled: true, text: '' })
  const fits = 'é'.repeat((16_384 - empty.length) / 2)
  assert.equal((await change({ text: fits }, other)).status, 200)
  const tooLarge = await change({ text: `${fits}é` }, other)
  assert.equal(tooLarge.status, 400)
  assert.match(tooLarge.body.details, /preferences must be at most 16384 bytes of JSON, .* make 1638[56]\./)
  assert.equal((await api.call('GET', `/api/users/${other}`)).body.data.preferences.text, fits)
})

test('the error for an invalid field names it', async () => {
  const wrong: [object, RegExp][] = [
    [
      { preferences: { view_mode: 'huge' } },
      /preferences.view_mode must be one of comfortable, compact, not "huge"/,
    ],
    [
      { preferences: { notifications_enabled: 'yes' } },
      /preferences.notifications_enabled must be a boolean/,
    ],
    [{ preferences: { view_mode: null } }, /preferences.view_mode must be one of comfortable, compact/],
    [{ preferences: null }, /preferences must be an object/],
    [{ preferences: ['dark'] }, /preferences must be an object/],
    [{ preferences: { 'a\0b': 1 } }, /must not contain the NUL character/],
    [{ role: 'owner' }, /^role must be one of viewer, member, partner, admin, not "owner"/],
    [{ role: 'admin' }, /^role cannot be changed while roles are not enforced/],
    [{ disabled: 'yes' }, /^disabled must be a boolean/],
  ]
  for (const [body, message] of wrong) {
    const answer = await api.call('PATCH', '/api/users/ada@example.com', body)
    assert.equal(answer.status, 400, JSON.stringify(body))
    assert.match(answer.body.details, message)
  }
  for (const email of ['nobody', 'a@b@c', 'a b@c.d', `${'x'.repeat(300)}@example.com`, '<script>@x'])
    assert.equal((await api.call('GET', `/api/users/${encodeURI(email)}`)).status, 400, email)
})

test('one caller cannot create hundreds of users, and others can go on', async () => {
  const lookUp = async (n: number, caller: string) => {
    const headers = { 'x-user-email': caller }
    return (await api.call('GET', `/api/users/many${n}@example.com`, undefined, { headers })).status
  }
  for (let n = 0; n < MAX_CREATIONS; n++) assert.equal(await lookUp(n, 'eve@example.com'), 200)
  assert.equal(await lookUp(MAX_CREATIONS, 'eve@example.com'), 429)
  assert.equal(await lookUp(0, 'eve@example.com'), 200)
  assert.equal(await lookUp(MAX_CREATIONS, 'ada@example.com'), 200)
})

test('in production only addresses that may sign in become users', async () => {
  const production = await testApp(PRODUCTION)
  try {
    const token = await production.context.sessions.sign({ sub: 'ada', email: ada })
    const headers = { authorization: `Bearer ${token}`, 'x-forwarded-proto': 'https' }
    const statusOf = async (email: string) =>
      (await production.call('GET', `/api/users/${email}`, undefined, { headers })).status
    assert.equal(await statusOf('new@example.com'), 200)
    assert.equal(await statusOf('eve@evil.example'), 404)
    await userWithRole(production, ada, 'admin')
    const change = (email: string) =>
      production.call('PATCH', `/api/users/${email}`, { role: 'viewer' }, { headers })
    assert.equal((await change('mallory@evil.example')).status, 404)
    const previous = await userWithRole(production, 'former@other.example', 'member')
    assert.equal((await change(previous)).status, 200)
    const { body } = await production.call('GET', '/api/users', undefined, { headers })
    assert.ok(!JSON.stringify(body).includes('evil'))
  } finally {
    await production.close()
  }
})
