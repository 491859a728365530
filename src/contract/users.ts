import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { anonymous, assertError, dataOf, developmentToken, newUser, signedIn, unique } from './client.ts'

const address = (email: string) => `/api/users/${encodeURIComponent(email)}`
const EVERY_ROLE = ['viewer', 'member', 'partner', 'admin']

describe('2. Resources and their fields: User', () => {
  test('email (the key of the user), name, role: string; preferences.view_mode: string; preferences.notifications_enabled: boolean', async () => {
    const client = newUser()
    const { email, name, role, preferences } = await dataOf(client.get(address(client.email)))
    assert.equal(email, client.email)
    assert.equal(typeof name, 'string')
    assert.ok(EVERY_ROLE.includes(role), role)
    assert.equal(typeof preferences.view_mode, 'string')
    assert.equal(typeof preferences.notifications_enabled, 'boolean')
  })

  test('name: string, even for an address without letters', async () => {
    const { name } = await dataOf(newUser().get(address(`${Date.now()}@example.com`)))
    assert.equal(typeof name, 'string')
  })
})

describe('4. Endpoints: Users', () => {
  test('GET /api/users/:email: {data: {email, name, role, preferences}}; creates the user when none exists', async () => {
    const email = `new.${unique()}@example.com`
    const created = await dataOf(newUser().get(address(email)))
    assert.deepEqual(
      Object.keys({ ...created, email, name: '', role: '', preferences: {} }),
      Object.keys(created),
    )
    assert.deepEqual(await dataOf(newUser().get(address(email))), created)
  })

  test('PATCH /api/users/:email: {preferences: {view_mode, notifications_enabled}}; updated user', async () => {
    const client = newUser()
    const preferences = { view_mode: 'compact', notifications_enabled: false }
    const changed = await dataOf(client.patch(address(client.email), { preferences }))
    assert.deepEqual(changed.preferences, preferences)
    assert.deepEqual((await dataOf(client.get(address(client.email)))).preferences, preferences)
  })

  test('view_mode: comfortable, compact used', async () => {
    const client = newUser()
    for (const view_mode of ['compact', 'comfortable']) {
      const { preferences } = await dataOf(
        client.patch(address(client.email), { preferences: { view_mode } }),
      )
      assert.equal(preferences.view_mode, view_mode)
    }
  })
})

describe('4. Endpoints: Users, what the contract leaves open', () => {
  test('a new user is a member with the view mode comfortable and notifications on', async () => {
    const client = newUser()
    const { role, preferences } = await dataOf(client.get(address(client.email)))
    assert.equal(role, 'member')
    assert.deepEqual(preferences, { view_mode: 'comfortable', notifications_enabled: true })
  })

  for (const [local, name] of [
    ['ada.beck', 'Ada Beck'],
    ['GRACE_HOPPER', 'Grace Hopper'],
    ['jean-luc', 'Jean Luc'],
    ['linus', 'Linus'],
  ] as const)
    test(`the name of a new user is derived from the address: ${local}@… is ${name}`, async () => {
      const user = await dataOf(newUser().get(address(`${local}@${unique()}.example`)))
      assert.equal(user.name, name)
    })

  test('GET /api/auth/me falls back to the name and picture of the token', async () => {
    const email = `token.${unique()}@example.com`
    const claims = { sub: 'u1', email, name: 'Tove Jansson', picture: 'https://people.example.com/t.jpg' }
    const cookie = `service_session=${await developmentToken(claims)}`
    const { name, picture } = await dataOf(anonymous().get('/api/auth/me', { cookie }))
    assert.deepEqual({ name, picture }, { name: claims.name, picture: claims.picture })
  })

  test('email addresses are case-insensitive', async () => {
    const client = newUser()
    const { email } = await dataOf(client.get(address(client.email.toUpperCase())))
    assert.equal(email, client.email)
  })

  test('preferences that are not sent keep their values', async () => {
    const client = newUser()
    await dataOf(client.patch(address(client.email), { preferences: { view_mode: 'compact' } }))
    const change = { preferences: { notifications_enabled: false } }
    const { preferences } = await dataOf(client.patch(address(client.email), change))
    assert.deepEqual(preferences, { view_mode: 'compact', notifications_enabled: false })
  })

  test('PATCH of preferences accepts {}', async () => {
    const client = newUser()
    const before = await dataOf(client.get(address(client.email)))
    const { preferences } = await dataOf(client.patch(address(client.email), { preferences: {} }))
    assert.deepEqual(preferences, before.preferences)
  })

  test('PATCH of preferences accepts other keys', async () => {
    const client = newUser()
    const others = { theme: 'dark', columns: ['name', 'status'], density: { table: 3 } }
    await dataOf(client.patch(address(client.email), { preferences: others }))
    const { preferences } = await dataOf(client.get(address(client.email)))
    assert.deepEqual({ ...preferences, ...others }, preferences)
    assert.equal(preferences.view_mode, 'comfortable')
  })

  test('preferences are limited to 64 keys and 16 KB', async () => {
    const client = newUser()
    const keys = (count: number) =>
      Object.fromEntries(Array.from({ length: count }, (_, n) => [`key${n}`, n]))
    const change = (preferences: object) => client.patch(address(client.email), { preferences })
    await assertError(change(keys(65)), 400, /64/)
    await assertError(change({ long: 'x'.repeat(17_000) }), 400, /16/)
    await dataOf(change(keys(62)))
  })

  test('an unknown view_mode is a 400 that names the known ones', async () => {
    const change = { preferences: { view_mode: 'cozy' } }
    const client = newUser()
    await assertError(client.patch(address(client.email), change), 400, /comfortable, compact/)
  })

  test('a malformed address is a 400', async () => {
    await assertError(newUser().get('/api/users/ada'), 400, /email/)
  })

  test('in production users can only change their own preferences', async () => {
    const client = await signedIn()
    const change = { preferences: { view_mode: 'compact' } }
    await dataOf(client.patch(address(client.email), change))
    await assertError(client.patch(address('ada@example.com'), change), 403)
  })
})
