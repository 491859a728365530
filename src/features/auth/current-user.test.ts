import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql } from 'kysely'
import { type TestApp, testApp } from '#src/testing/app.ts'

let api: TestApp
before(async () => {
  api = await testApp()
})
after(() => api.close())

/** The name and picture that `/api/auth/me` returns for this session. */
async function readMe(claims: { email: string; name?: string; picture?: string }): Promise<unknown[]> {
  const session = await api.context.sessions.sign({ sub: claims.email, ...claims })
  const { status, body } = await api.call('GET', '/api/auth/me', undefined, {
    headers: { cookie: `service_session=${session}` },
  })
  assert.equal(status, 200, JSON.stringify(body))
  return [body.data.name, body.data.picture]
}

const picture = 'https://people.example.com/zoe.jpg'

test('a new user gets the name and picture of the session', async () => {
  const email = 'zoe.new@example.com'
  assert.deepEqual(await readMe({ email, name: 'Zoë N. New', picture }), ['Zoë N. New', picture])
  const { data } = (await api.call('GET', `/api/users/${email}`)).body
  assert.deepEqual([data.name, data.picture], ['Zoë N. New', picture])
})

test('without a name in the session, the name is derived from the address', async () => {
  assert.deepEqual(await readMe({ email: 'zoe.plain@example.com' }), ['Zoe Plain', null])
})

test('the stored name and picture win; the session fills in missing ones', async () => {
  const email = 'zoe.known@example.com'
  await api.call('GET', `/api/users/${email}`)
  assert.deepEqual(await readMe({ email, name: 'Another', picture }), ['Zoe Known', picture])
  await sql`update users set name = null where email = ${email}`.execute(api.context.db)
  assert.deepEqual(await readMe({ email, name: 'Another', picture }), ['Another', picture])
  assert.deepEqual(await readMe({ email }), [null, null])
  const stored = 'https://people.example.com/stored.jpg'
  await sql`update users set name = 'Stored', picture = ${stored} where email = ${email}`.execute(
    api.context.db,
  )
  assert.deepEqual(await readMe({ email, name: 'Another', picture }), ['Stored', stored])
})

test('only the first request of a user writes that they have signed in', async () => {
  const email = 'zoe.often@example.com'
  const signedIn = async () => {
    const { rows } = await sql<{ at: Date | null }>`
      select signed_in_at as at from users where email = ${email}`.execute(api.context.db)
    return rows[0]?.at
  }
  await readMe({ email })
  const first = await signedIn()
  assert.ok(first)
  await sql`
    create function refuse_write() returns trigger language plpgsql as $$
    begin raise exception 'a user was written'; end $$`.execute(api.context.db)
  await sql`
    create trigger refuse_write before update on users for each statement execute function refuse_write()`.execute(
    api.context.db,
  )
  try {
    await readMe({ email })
  } finally {
    await sql`drop trigger refuse_write on users`.execute(api.context.db)
  }
  assert.deepEqual(await signedIn(), first)
})
