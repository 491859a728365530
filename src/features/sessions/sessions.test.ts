import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { decodeJwt } from 'jose'
import { sql } from 'kysely'
import type { TestApp } from '#src/testing/app.ts'
import { bearer, type Headers, sessionCookieOf, userWithRole } from '#src/testing/credentials.ts'
import { eventually } from '#src/testing/eventually.ts'
import { twoServices } from '#src/testing/processes.ts'

const ada = 'ada@example.com'
const admin = { 'x-user-email': 'admin@example.com' }
const member = { 'x-user-email': 'member@example.com' }
let one: TestApp
let other: TestApp
let close: () => Promise<void>
before(async () => {
  ;({ one, other, close } = await twoServices({ SESSION_IDLE_HOURS: '2' }))
  await userWithRole(one, 'admin@example.com', 'admin')
})
after(() => close())

const statusOf = async (api: TestApp, headers: Headers) =>
  (await api.call('GET', '/api/stats', undefined, { headers })).status
const idOf = ({ cookie = '' }: Headers) => String(decodeJwt(cookie.slice('service_session='.length)).jti)

let address: Promise<string> | undefined
/** The address of the other service. */
const listening = () => {
  address ??= other.app.listen({ host: '127.0.0.1', port: 0 })
  return address
}

/** A session that has been used, so that it is listed. */
async function usedSession(email = ada): Promise<Headers> {
  const cookie = await sessionCookieOf(one, email)
  const headers = { ...cookie, 'user-agent': 'Firefox/150.0 (Linux)' }
  assert.equal(await statusOf(one, headers), 200)
  await one.context.flushUses()
  return headers
}

const list = async (headers: Headers, query = '') =>
  (await one.call('GET', `/api/sessions${query}`, undefined, { headers })).body

test('sessions are listed with their address and browser, and the current one is marked', async () => {
  const [first, second] = [await usedSession('lea@example.com'), await usedSession('lea@example.com')]
  const { data, pagination } = await list(second)
  assert.equal(pagination.total, 2)
  assert.deepEqual(data.map(({ id }: { id: string }) => id).sort(), [idOf(first), idOf(second)].sort())
  const current = data.find(({ id }: { id: string }) => id === idOf(second))
  const { user_email, address, browser } = current
  assert.deepEqual(
    [user_email, address, browser, current.current],
    ['lea@example.com', '127.0.0.1', 'Firefox/150.0 (Linux)', true],
  )
  assert.ok(Math.abs(Date.parse(current.last_seen_at) - Date.now()) < 60_000)
  assert.equal(data.find(({ id }: { id: string }) => id === idOf(first)).current, false)
})

test('a session that is ended is a 401 in this process at once, and soon in the others', async () => {
  const [kept, ended] = [await usedSession(), await usedSession()]
  assert.equal(await statusOf(other, ended), 200)
  const answer = await one.call('DELETE', `/api/sessions/${idOf(ended)}`, undefined, { headers: kept })
  assert.equal(answer.status, 204)
  const refused = await one.call('GET', '/api/stats', undefined, { headers: ended })
  assert.equal(refused.status, 401)
  assert.match(refused.body.details, /The session was ended\. Sign in again/)
  assert.match(String(refused.headers['set-cookie']), /^service_session=;/)
  await eventually(async () => assert.equal(await statusOf(other, ended), 401))
  assert.deepEqual([await statusOf(one, kept), await statusOf(other, kept)], [200, 200])
  assert.equal(
    (await one.call('DELETE', `/api/sessions/${idOf(ended)}`, undefined, { headers: kept })).status,
    404,
  )
})

test('all sessions but the current one can be ended together', async () => {
  const sessions = [await usedSession('kim@example.com'), await usedSession('kim@example.com')] as const
  const [current, another] = sessions
  assert.equal((await one.call('DELETE', '/api/sessions', undefined, { headers: current })).status, 204)
  assert.deepEqual([await statusOf(one, current), await statusOf(one, another)], [200, 401])
})

test('ended sessions are recorded with their ids and whose they were', async () => {
  const email = 'rec@example.com'
  const ids = []
  for (let n = 0; n < 3; n++) ids.push(idOf(await usedSession(email)))
  const [first, ...others] = ids
  await one.call('DELETE', `/api/sessions/${first}`, undefined, { headers: admin })
  await one.call('DELETE', `/api/sessions?user_email=${email}`, undefined, { headers: admin })
  await one.call('DELETE', `/api/sessions?user_email=${email}`, undefined, { headers: admin })
  const query = '/api/audit?event=session_ended&user_email=admin@example.com'
  const { data } = (await one.call('GET', query, undefined, { headers: admin })).body
  const entries = data.map(({ details }: { details: { user_email: string; session_ids: string[] } }) => [
    details.user_email,
    details.session_ids.toSorted(),
  ])
  assert.deepEqual(entries, [
    [email, others.toSorted()],
    [email, [first]],
  ])
})

test('signing out ends the session on the server, so a copy of the cookie is a 401', async () => {
  const session = await usedSession()
  const unrecorded = await sessionCookieOf(one, ada)
  for (const headers of [session, unrecorded]) {
    const answer = await one.call('POST', '/api/auth/logout', undefined, { headers })
    assert.equal(answer.status, 200)
    assert.equal(await statusOf(one, headers), 401)
    await eventually(async () => assert.equal(await statusOf(other, headers), 401))
  }
})

test('signing out works while the database cannot be written', async () => {
  const session = await usedSession()
  const { db } = one.context
  const { executeQuery } = db.getExecutor()
  const executor = db.getExecutor() as { executeQuery: unknown }
  executor.executeQuery = async () => {
    throw Object.assign(new Error('connect ECONNREFUSED'), { syscall: 'connect' })
  }
  try {
    assert.equal((await one.call('POST', '/api/auth/logout', undefined, { headers: session })).status, 200)
  } finally {
    executor.executeQuery = executeQuery
  }
  assert.equal(await statusOf(one, session), 401)
  assert.equal(await statusOf(other, session), 200)
  await one.context.flushUses()
  await eventually(async () => assert.equal(await statusOf(other, session), 401))
})

test('users manage their own sessions, and admins those of others', async () => {
  const session = await usedSession()
  for (const [method, url] of [
    ['GET', `/api/sessions?user_email=${ada}`],
    ['DELETE', `/api/sessions/${idOf(session)}`],
    ['DELETE', `/api/sessions?user_email=${ada}`],
  ] as const) {
    const refused = await one.call(method, url, undefined, { headers: member })
    assert.equal(refused.status, 403)
    assert.match(refused.body.details, /manage_users/)
  }
  const { data } = await list(admin, `?user_email=${ada.toUpperCase()}`)
  assert.ok(data.some(({ id }: { id: string }) => id === idOf(session)))
  const ended = await one.call('DELETE', `/api/sessions?user_email=${ada}`, undefined, { headers: admin })
  assert.equal(ended.status, 204)
  assert.equal(await statusOf(one, session), 401)
})

test('a session that is not used for SESSION_IDLE_HOURS ends, and use in any process keeps it', async () => {
  const idle = { ...(await sessionCookieOf(other, ada)) }
  const lastUsed = (hours: number) =>
    sql`
      insert into sessions (id, user_email, created_at, last_seen_at, expires_at)
      values (${idOf(idle)}, ${ada}, now() - interval '1 day', now() - ${hours} * interval '1 hour', now() + interval '1 day')
      on conflict (id) do update set last_seen_at = excluded.last_seen_at`.execute(one.context.db)
  await lastUsed(3)
  const refused = await one.call('GET', '/api/stats', undefined, { headers: idle })
  assert.equal(refused.status, 401)
  assert.match(refused.body.details, /It was not used for 2 hours/)
  await lastUsed(1)
  assert.equal(await statusOf(other, idle), 200)
})

const REFRESH: Headers = { 'x-automatic-refresh': 'true' }
const AUTOMATIC: Headers[] = [REFRESH, { accept: 'text/event-stream' }, { 'sec-fetch-dest': 'image' }]

const setLastUse = (session: Headers, interval: string) =>
  sql`
    update sessions set last_seen_at = now() - ${interval}::interval where id = ${idOf(session)}`.execute(
    one.context.db,
  )

test('what a page sends automatically does not keep a session in use', async (t) => {
  const session = await usedSession('away@example.com')
  const automatic = AUTOMATIC.map((header) => ({ ...session, ...header }))
  const lastSeen = async () => (await list({ ...session, ...REFRESH })).data[0].last_seen_at
  await setLastUse(session, '119 minutes')
  const before = await lastSeen()
  for (const headers of automatic) assert.equal(await statusOf(other, headers), 200)
  await other.context.flushUses()
  assert.equal(await lastSeen(), before)
  const later = Date.now() + 120_000
  t.mock.method(Date, 'now', () => later)
  for (const headers of [...automatic, session]) assert.equal(await statusOf(other, headers), 401)
})

test('automatic requests show their address and browser, and change nothing else', async () => {
  for (const [n, header] of AUTOMATIC.entries()) {
    const session = await usedSession(`copied-${n}@example.com`)
    const list = async () =>
      (await one.call('GET', '/api/sessions', undefined, { headers: session })).body.data[0]
    const { last_seen_at, ...before } = await list()
    const headers = { ...session, ...header, 'user-agent': 'curl/8.14.1' }
    assert.equal(await statusOf(one, headers), 200)
    await one.context.flushUses()
    assert.deepEqual(await list(), { ...before, last_seen_at, browser: 'curl/8.14.1' })
  }
})

test('only requests that change nothing can be automatic', async () => {
  const session = await usedSession('busy@example.com')
  const lastSeen = async () => (await list({ ...session, ...REFRESH })).data[0].last_seen_at
  await setLastUse(session, '119 minutes')
  const before = await lastSeen()
  const send = async (method: 'POST' | 'PATCH', url: string, body: object) => {
    const { status } = await other.call(method, url, body, { headers: { ...session, ...REFRESH } })
    assert.equal(status, 200, url)
    await other.context.flushUses()
    return lastSeen()
  }
  assert.equal(await send('POST', '/api/companies/query', {}), before)
  const preferences = { preferences: { view_mode: 'compact' } }
  assert.notEqual(await send('PATCH', '/api/users/busy@example.com', preferences), before)
})

test('an open event stream ends when its session has not been used for too long', async () => {
  const session = await usedSession('watching@example.com')
  const headers = { ...session, ...REFRESH }
  const address = await listening()
  const open = async () => {
    // A stream that opened too late is a 401, which does not end the session.
    await setLastUse(session, '119 minutes 57 seconds')
    const stream = await fetch(`${address}/api/events`, { headers })
    assert.equal(stream.status, 200)
    return stream
  }
  await (await eventually(open)).text()
  await eventually(async () => {
    const { status, body } = await fetch(`${address}/api/events`, { headers })
    await body?.cancel()
    assert.equal(status, 401)
  })
})

test('a token from before sessions had records works until its user is disabled', async () => {
  const email = 'old@example.com'
  const token = await one.context.sessions.sign({ sub: email, email })
  for (const headers of [{ cookie: `service_session=${token}` }, bearer(token)])
    assert.equal(await statusOf(one, headers), 200)
  await userWithRole(one, email, 'member')
  const disable = await one.call('PATCH', `/api/users/${email}`, { disabled: true }, { headers: admin })
  assert.equal(disable.status, 200)
  for (const headers of [{ cookie: `service_session=${token}` }, bearer(token)])
    assert.equal(await statusOf(one, headers), 401)
})

test('open event streams end in every process when the session ends, the user is disabled or a key is revoked', async () => {
  const company_ids = [
    (await one.call('POST', '/api/companies', { name: 'Followed' }, { headers: member })).body.data.id,
  ]
  const action = { action_type: 'llm_score', company_ids }
  const { id } = (await one.call('POST', '/api/bulk-actions', action, { headers: member })).body.data
  const address = await listening()
  const open = async (url: string, headers: Headers) => {
    const response = await fetch(address + url, { headers })
    assert.equal(response.status, 200)
    const state = { hasEnded: false }
    void response.text().then(() => Object.assign(state, { hasEnded: true }))
    return state
  }
  const follow = async (headers: Headers) => [
    await open(`/api/bulk-actions/${id}/events`, headers),
    await open('/api/events', headers),
  ]
  const email = 'watcher@example.com'
  await userWithRole(one, email, 'member')
  const session = await usedSession(email)
  const created = await one.call('POST', '/api/keys', { name: 'k', scopes: ['read'] }, { headers: session })
  const byKey = await follow(bearer(created.body.data.key))
  const bySession = await follow(session)
  const byHeader = await follow({ 'x-user-email': email })
  const both = (streams: { hasEnded: boolean }[]) => streams.map(({ hasEnded }) => hasEnded)
  const ends = (streams: { hasEnded: boolean }[]) =>
    eventually(() => assert.deepEqual(both(streams), [true, true]))
  await one.call('DELETE', `/api/keys/${created.body.data.id}`, undefined, { headers: session })
  await ends(byKey)
  assert.deepEqual(both(bySession), [false, false])
  await one.call('DELETE', `/api/sessions/${idOf(session)}`, undefined, { headers: session })
  await ends(bySession)
  assert.deepEqual(both(byHeader), [false, false])
  await one.call('PATCH', `/api/users/${email}`, { disabled: true }, { headers: admin })
  await ends(byHeader)
})

test('a session without a record, because the database was read-only at the sign-in, gets one when it is used', async () => {
  const headers = await sessionCookieOf(one, 'late@example.com')
  assert.deepEqual((await list(headers)).data, [])
  await one.context.flushUses()
  assert.equal((await list(headers)).data[0].id, idOf(headers))
})
