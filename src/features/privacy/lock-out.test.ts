import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql } from 'kysely'
import { COUNTERS } from '#src/counters.ts'
import { verifyAuditLog } from '#src/features/audit/verify.ts'
import { promoteFirstAdmins } from '#src/features/users/first-admins.ts'
import { readAccessChanges } from '#src/features/users/user-access.ts'
import { AccessState } from '#src/platform/identity/access-state.ts'
import type { TestApp } from '#src/testing/app.ts'
import { bearer, type Headers, keyOf, sessionCookieOf, userWithRole } from '#src/testing/credentials.ts'
import { eventually } from '#src/testing/eventually.ts'
import { twoServices } from '#src/testing/processes.ts'
import { eraseUser } from './erase.ts'
import { readmitUser } from './lock-out.ts'

const admin = { 'x-user-email': 'admin@example.com' }
let one: TestApp
let other: TestApp
let close: () => Promise<void>
before(async () => {
  ;({ one, other, close } = await twoServices())
  await userWithRole(one, 'admin@example.com', 'admin')
  await other.context.access.refresh()
})
after(() => close())

const statusOf = async (api: TestApp, headers: Headers, url = '/api/auth/me') =>
  (await api.call('GET', url, undefined, { headers })).status

/** Each way in which a user can be identified here, all used already. */
async function credentialsOf(email: string): Promise<Headers[]> {
  await userWithRole(one, email, 'partner')
  const session = await sessionCookieOf(one, email)
  const { headers: key } = await keyOf(one, session, { name: `Of ${email}`, scopes: ['read', 'admin'] })
  const token = bearer(await one.context.sessions.sign({ sub: email, email }))
  const credentials = [session, key, token, { 'x-user-email': email }]
  for (const headers of credentials)
    for (const api of [one, other]) assert.equal(await statusOf(api, headers), 200)
  await one.context.flushUses()
  return credentials
}

const usersLike = async (email: string) =>
  (await sql<{ email: string }>`select email from users where email = ${email}`.execute(one.context.db)).rows

/** As the command does, while the service runs. */
async function erase(email: string): Promise<string> {
  await one.context.audit.flush()
  const erasure = await eraseUser(one.context.db, COUNTERS, email, one.config.authentication)
  return erasure?.pseudonym ?? assert.fail('nothing was erased')
}

test('every credential of an erased person is refused in every process, and none creates the user again', async () => {
  const email = 'gone@example.com'
  const credentials = await credentialsOf(email)
  const pseudonym = await erase(email)
  for (const api of [one, other]) {
    const statuses = await Promise.all(credentials.map((headers) => statusOf(api, headers)))
    assert.deepEqual(statuses, [401, 401, 401, 403])
  }
  for (const options of [{ headers: admin }, { headers: { 'x-user-email': 'ben@example.com' } }])
    assert.equal((await one.call('GET', `/api/users/${email}`, undefined, options)).status, 404)
  const patched = await one.call('PATCH', `/api/users/${email}`, { disabled: false }, { headers: admin })
  assert.equal(patched.status, 404)
  await one.context.flushUses()
  await one.context.audit.flush()
  assert.deepEqual(await usersLike(email), [])
  const { rows } = await sql<{ text: string }>`
    select (select json_agg(s) from sessions s)::text || (select json_agg(k) from api_keys k)::text ||
      (select json_agg(a) from audit_entries a)::text || (select json_agg(e) from erasures e)::text as text`.execute(
    one.context.db,
  )
  assert.ok(rows[0]?.text.includes(pseudonym))
  assert.ok(!rows[0]?.text.includes(email))
  assert.equal((await verifyAuditLog(one.context.db)).intact, true)
})

test('the erased person keeps a disabled member without sessions, keys, or anything personal', async () => {
  const email = 'traces@example.com'
  await credentialsOf(email)
  const pseudonym = await erase(email)
  const { data: user } = (await one.call('GET', `/api/users/${pseudonym}`, undefined, { headers: admin }))
    .body
  assert.deepEqual([user.name, user.role, user.disabled], ['Erased user', 'member', true])
  await eventually(async () => assert.equal(await statusOf(other, { 'x-user-email': pseudonym }), 403))
  for (const change of [{ disabled: false }, { role: 'admin' }]) {
    const refused = await one.call('PATCH', `/api/users/${pseudonym}`, change, { headers: admin })
    assert.equal(refused.status, 409)
    assert.match(refused.body.details, /stands for an erased person/)
  }
  const { db } = one.context
  const { rows: sessions } = await sql`
    select ended_at is not null as ended, address, browser from sessions where user_email = ${pseudonym}`.execute(
    db,
  )
  assert.deepEqual(sessions, [{ ended: true, address: null, browser: null }])
  const { rows: keys } = await sql`
    select revoked_at is not null as revoked, name, last_used_address from api_keys
    where user_email = ${pseudonym}`.execute(db)
  assert.deepEqual(keys, [{ revoked: true, name: 'Erased', last_used_address: null }])
  const { data: entries } = (await one.call('GET', '/api/audit?limit=1000', undefined, { headers: admin }))
    .body
  const about = entries
    .filter(
      ({ user_email, details }: { user_email: string | null; details: Record<string, unknown> }) =>
        user_email === null && [details.user_email, details.pseudonym].includes(pseudonym),
    )
    .map(({ event }: { event: string }) => event)
  assert.deepEqual(about, ['user_erased', 'key_revoked', 'user_disabled', 'role_changed'])
})

test('the last admin cannot be erased and keeps access', async () => {
  await assert.rejects(
    erase('admin@example.com'),
    /admin@example\.com is the last admin who can sign in and is not disabled/,
  )
  await one.context.access.refresh()
  assert.equal(await statusOf(one, admin), 200)
  const { rows } = await sql`select from erasures where email is not null`.execute(one.context.db)
  assert.equal(rows.length, 0)
})

test('a user who was created again during the erasure does not stop it', async () => {
  const email = 'twice@example.com'
  const { db } = one.context
  await credentialsOf(email)
  await sql`
    create function create_again() returns trigger language plpgsql as $$ begin
      insert into users (email, role, preferences) values (old.email, 'member', '{}') on conflict do nothing;
      return null; end $$`.execute(db)
  await sql`
    create trigger create_again after update of email on users for each row
    when (old.email = ${sql.lit(email)}) execute function create_again()`.execute(db)
  await erase(email)
  await sql`drop function create_again() cascade`.execute(db)
  assert.deepEqual(await usersLike(email), [])
})

test('ADMIN_EMAILS does not create an erased person again, and a readmitted one starts as a new user', async () => {
  const email = 'back@example.com'
  await credentialsOf(email)
  await erase(email)
  const { authentication } = one.config
  const config = { ...one.config, authentication: { ...authentication, adminEmails: [email] } }
  await promoteFirstAdmins({ ...one.context, config })
  assert.deepEqual(await usersLike(email), [])
  const { db } = one.context
  const isErased = async () => {
    const access = new AccessState((since) => readAccessChanges(db, since))
    await access.refresh()
    return access.isErased(email)
  }
  assert.equal(await readmitUser(db, 'never@example.com'), false)
  assert.equal(await isErased(), true)
  assert.equal(await readmitUser(db, email), true)
  assert.equal(await isErased(), false)
})
