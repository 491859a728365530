import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql } from 'kysely'
import { type TestApp, testApp } from '#src/testing/app.ts'
import { bearer, type Headers, keyOf, sessionCookieOf, userWithRole } from '#src/testing/credentials.ts'
import { eventually } from '#src/testing/eventually.ts'
import { whileImportsAreHeld } from './held-imports.fixture.ts'

const MEL = 'mel@example.com'
const admin = { 'x-user-email': 'ann@example.com' }

let api: TestApp
before(async () => {
  api = await testApp({ WORKER: 'off', ENFORCE_ROLES: 'true' })
  await userWithRole(api, 'ann@example.com', 'admin')
})
after(() => api.close())

const setRole = (role: 'viewer' | 'member') => userWithRole(api, MEL, role)
const patchUser = (body: object) => api.call('PATCH', `/api/users/${MEL}`, body, { headers: admin })

function send(headers: Headers, rows: number, name: string) {
  const payload = `name\n${Array.from({ length: rows }, (_value, n) => `${name} ${n}`).join('\n')}\n`
  return api.call('POST', '/api/companies/import', undefined, {
    payload,
    headers: { ...headers, 'content-type': 'text/csv' },
  })
}

const latest = async () =>
  (await api.call('GET', '/api/imports?limit=1', undefined, { headers: admin })).body.data[0]

const cases: [
  what: string,
  status: number,
  reason: RegExp,
  arrange: () => Promise<[Headers, () => unknown]>,
][] = [
  [
    'is disabled',
    401,
    /The user mel@example\.com is disabled/,
    async () => [{ 'x-user-email': MEL }, () => patchUser({ disabled: true })],
  ],
  [
    'is signed out everywhere',
    401,
    /The session was ended/,
    async () => {
      const headers = await sessionCookieOf(api, MEL)
      await api.call('GET', '/api/auth/me', undefined, { headers })
      await eventually(async () => {
        const { rows } = await sql`select from sessions where user_email = ${MEL}`.execute(api.context.db)
        assert.ok(rows.length > 0)
      })
      const end = () => api.call('DELETE', `/api/sessions?user_email=${MEL}`, undefined, { headers: admin })
      return [headers, end]
    },
  ],
  [
    'loses the API key',
    401,
    /It was revoked/,
    async () => {
      const { id, key } = await keyOf(api, { 'x-user-email': MEL }, { scopes: ['import'] })
      return [bearer(key), () => api.call('DELETE', `/api/keys/${id}`, undefined, { headers: admin })]
    },
  ],
  [
    'becomes a viewer',
    403,
    /You need permission to import records \(import\). Your role is viewer/,
    async () => [{ 'x-user-email': MEL }, () => patchUser({ role: 'viewer' })],
  ],
]

for (const [what, status, reason, arrange] of cases)
  test(`an import ends before its next batch when its user ${what}`, async () => {
    await patchUser({ disabled: false }).catch(() => {})
    await setRole('member')
    const [headers, end] = await arrange()
    const previous = await latest()
    const sent = await whileImportsAreHeld(async () => {
      const answer = send(headers, 1200, what)
      await eventually(async () => {
        const { id, state } = await latest()
        assert.deepEqual([id !== previous?.id, state], [true, 'running'])
      })
      await end()
      return { answer }
    })
    const answer = await sent.answer
    assert.equal(answer.status, status, answer.body.details)
    assert.match(answer.body.details, /^The import was stopped\. .* What was imported before stays\.$/)
    assert.match(answer.body.details, reason)
    const { state, error, created } = await latest()
    assert.deepEqual([state, error, created], ['interrupted', answer.body.details, 0])
  })

test('the companies that were imported before stay, are counted, and can be undone', async () => {
  const { db } = api.context
  await patchUser({ disabled: false })
  await setRole('member')
  await sql`
    create function end_access() returns trigger language plpgsql as $$
    begin
      update users set role = 'viewer', access_changed_at = clock_timestamp() where email = 'mel@example.com';
      perform pg_sleep(0.3);
      return null;
    end $$`.execute(db)
  await sql`
    create trigger end_access after insert on companies for each statement execute function end_access()`.execute(
    db,
  )
  const { status, body } = await send({ 'x-user-email': MEL }, 6000, 'Partly')
  await sql`drop function end_access cascade`.execute(db)
  assert.equal(status, 403, body.details)
  const { state, created, action_id } = await latest()
  const found = await api.call('GET', '/api/companies?search=Partly&limit=0', undefined, { headers: admin })
  assert.deepEqual([state, created], ['interrupted', found.body.pagination.total])
  assert.ok(created > 0 && created < 6000, `${created}`)
  const undone = await api.call('POST', `/api/actions/${action_id}/undo`, {}, { headers: admin })
  assert.equal(undone.body.data.reverted, created)
})
