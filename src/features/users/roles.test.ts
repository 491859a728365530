import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql } from 'kysely'
import { newId } from '#src/platform/ids.ts'
import { type TestApp, testApp } from '#src/testing/app.ts'
import { sessionCookieOf, userWithRole } from '#src/testing/credentials.ts'
import { slow } from '#src/testing/slow.ts'
import { promoteFirstAdmins } from './first-admins.ts'

let api: TestApp
before(async () => {
  api = await testApp({
    ENFORCE_ROLES: 'true',
    ADMIN_EMAILS: 'Root@example.com',
    LLM: 'openai-compatible',
    LLM_BASE_URL: 'http://127.0.0.1:1/v1',
    LLM_MODEL: 'none',
  })
  await userWithRole(api, 'viewer@example.com', 'viewer')
  await userWithRole(api, 'member@example.com', 'member')
  await userWithRole(api, 'partner@example.com', 'partner')
})
after(() => api.close())

const as = (name: string) => ({ headers: { 'x-user-email': `${name}@example.com` } })
const patch = (email: string, body: object, by = 'root') =>
  api.call('PATCH', `/api/users/${email}`, body, as(by))

test('the users of ADMIN_EMAILS are admins from the start, and again after each start', async () => {
  const { data } = (await api.call('GET', '/api/auth/me', undefined, as('root'))).body
  assert.equal(data.role, 'admin')
  assert.ok(data.permissions.includes('manage_users'))
  assert.ok(!data.permissions.includes('work'))
  await userWithRole(api, 'second@example.com', 'admin')
  assert.equal((await patch('root@example.com', { role: 'member' }, 'second')).body.data.role, 'member')
  await promoteFirstAdmins(api.context)
  assert.equal((await patch('second@example.com', { role: 'member' })).body.data.role, 'member')
})

test('an admin sets roles, which take effect at once; others get a 403 that names the permission', async () => {
  const create = () => api.call('POST', '/api/companies', { name: 'New' }, as('changing'))
  assert.equal((await create()).status, 201)
  assert.equal((await patch('changing@example.com', { role: 'viewer' })).body.data.role, 'viewer')
  const refused = await create()
  assert.equal(refused.status, 403)
  assert.match(
    refused.body.details,
    /^You need permission to create and change records \(write\)\. Your role is viewer; needed: member or partner or admin\.$/,
  )
  for (const by of ['member', 'partner', 'changing']) {
    const own = await patch(`${by}@example.com`, { role: 'admin' }, by)
    assert.equal(own.status, 403)
    assert.match(own.body.details, /manage_users/)
  }
  assert.equal(
    (await patch('changing@example.com', { preferences: { view_mode: 'compact' } }, 'member')).status,
    403,
  )
})

test('changes of roles and access are recorded with the previous and the new role, repeated ones are not', async () => {
  // Refusals of earlier tests are recorded in the background.
  await api.context.audit.flush()
  const email = 'recorded@example.com'
  await userWithRole(api, email, 'member')
  for (const change of [{ role: 'partner' }, { disabled: true }, { disabled: false }])
    for (let n = 0; n < 2; n++) assert.equal((await patch(email, change)).status, 200)
  const { data } = (await api.call('GET', '/api/audit?limit=3', undefined, as('root'))).body
  assert.deepEqual(
    data.map(({ event, user_email, details }: Record<string, unknown>) => [event, user_email, details]),
    [
      ['user_enabled', 'root@example.com', { user_email: email }],
      ['user_disabled', 'root@example.com', { user_email: email, session_ids: [] }],
      ['role_changed', 'root@example.com', { user_email: email, from: 'member', to: 'partner' }],
    ],
  )
})

test('the promotion of the users of ADMIN_EMAILS is recorded once', async () => {
  await promoteFirstAdmins(api.context)
  const { data } = (await api.call('GET', '/api/audit?event=role_changed&limit=1000', undefined, as('root')))
    .body
  const promotions = data.filter(({ user_email }: { user_email: string | null }) => user_email === null)
  const details = { user_email: 'root@example.com', from: 'member', to: 'admin', setting: 'ADMIN_EMAILS' }
  for (const promotion of promotions) assert.deepEqual(promotion.details, details)
  // The first start, and the test above that demotes root.
  assert.equal(promotions.length, 2)
})

test('a user who reads, changes preferences and writes back sends the role unchanged', async () => {
  const user = (await api.call('GET', '/api/users/member@example.com', undefined, as('member'))).body.data
  const preferences = { ...user.preferences, view_mode: 'compact' }
  const { status, body } = await patch('member@example.com', { ...user, preferences }, 'member')
  assert.equal(status, 200)
  assert.equal(body.data.preferences.view_mode, 'compact')
})

test('a role from older data counts as member, and may be sent back', async () => {
  const email = 'analyst@example.com'
  await userWithRole(api, email, 'member')
  await sql`update users set role = 'analyst', access_changed_at = clock_timestamp() where email = ${email}`.execute(
    api.context.db,
  )
  await api.context.access.refresh()
  const user = (await api.call('GET', `/api/users/${email}`, undefined, as('analyst'))).body.data
  assert.equal(user.role, 'analyst')
  assert.equal((await api.call('POST', '/api/companies', { name: 'New' }, as('analyst'))).status, 201)
  assert.equal(
    (
      await api.call(
        'PATCH',
        '/api/companies',
        { ids: Array.from({ length: 1001 }, (_v, n) => `c${n}`), changes: { status: 'x' } },
        as('analyst'),
      )
    ).status,
    403,
  )
  const { updated_at: _time, ...unchanged } = user
  assert.equal((await patch(email, unchanged, 'analyst')).status, 200)
})

test('a disabled user is locked out, and their sessions have ended when they are enabled again', async () => {
  const email = 'leaving@example.com'
  await userWithRole(api, email, 'member')
  const session = { headers: await sessionCookieOf(api, email) }
  const read = (options: object) => api.call('GET', '/api/stats', undefined, options)
  assert.equal((await read(session)).status, 200)
  await api.context.flushUses()
  assert.equal((await patch(email, { disabled: true })).body.data.disabled, true)
  const refused = await read(session)
  assert.equal(refused.status, 401)
  assert.match(refused.body.details, /The user leaving@example\.com is disabled/)
  assert.equal((await read(as('leaving'))).status, 403)
  assert.equal((await patch(email, { disabled: false })).body.data.disabled, false)
  assert.equal((await read(session)).status, 401)
  assert.equal((await read(as('leaving'))).status, 200)
})

test('a language model without a token_budget needs a partner, also for removing a budget and for a retry', async () => {
  const company_ids = [
    (await api.call('POST', '/api/companies', { name: 'Scored' }, as('member'))).body.data.id,
  ]
  const start = (body: object, by: string) =>
    api.call('POST', '/api/bulk-actions', { action_type: 'llm_score', company_ids, ...body }, as(by))
  const refused = await start({}, 'member')
  assert.equal(refused.status, 403)
  assert.match(refused.body.details, /language model without a token_budget \(bulk_unbudgeted\)/)
  assert.equal((await start({}, 'partner')).status, 201)
  assert.equal((await start({ action_type: 'generate_embeddings' }, 'member')).status, 201)
  const { data } = (await start({ token_budget: 1000 }, 'member')).body
  const change = (body: object) => api.call('PATCH', `/api/bulk-actions/${data.id}`, body, as('member'))
  assert.equal((await change({ token_budget: null })).status, 403)
  assert.equal((await change({ token_budget: 2000 })).status, 200)
  const larger = { token_budget: 10_000_001 }
  for (const { status, body } of [await start(larger, 'member'), await change(larger)]) {
    assert.equal(status, 403)
    assert.match(
      body.details,
      /^token_budget must be at most 10,000,000 \(MEMBER_TOKEN_BUDGET\), not 10,000,001\. .*\(bulk_unbudgeted\)/,
    )
  }
  assert.equal((await start({ token_budget: 10_000_000 }, 'member')).status, 201)
  assert.equal((await start(larger, 'partner')).status, 201)
})

test('a change of more than 1,000 records needs a partner, and the 403 names the permission', async () => {
  const ids = (count: number) => Array.from({ length: count }, (_value, n) => `cmp_${n}`)
  const change = (role: string, count: number) =>
    api.call('PATCH', '/api/companies', { ids: ids(count), changes: { status: 'x' } }, as(role))
  const refused = await change('member', 1001)
  assert.equal(refused.status, 403)
  assert.match(
    refused.body.details,
    /more than 1,000 records at once \(write_unlimited\)\. Your role is member; needed: partner or admin/,
  )
  assert.equal((await change('member', 1000)).status, 400)
  assert.equal((await change('partner', 1001)).status, 400)
})

test('an export of more than 10,000 rows needs a partner; the limit counts what the filters match', {
  skip: slow,
}, async () => {
  const { db } = api.context
  const row = { status: 'active', country_code: 'DE', created_at: new Date(), updated_at: new Date() }
  const rows = Array.from({ length: 10_001 }, (_value, n) => ({
    ...row,
    id: newId('cmp'),
    name: `Exported ${n}`,
    country_code: n === 0 ? 'FR' : 'DE',
  }))
  for (let n = 0; n < rows.length; n += 2000)
    await db
      .insertInto('companies')
      .values(rows.slice(n, n + 2000) as never)
      .execute()
  const exported = (role: string, query = '') =>
    api.call('GET', `/api/companies/export${query}`, undefined, as(role))
  const refused = await exported('member')
  assert.equal(refused.status, 403)
  assert.match(refused.body.details, /export more than 10,000 records \(export_unlimited\)/)
  assert.equal((await exported('viewer', '?country_code=DE')).status, 200)
  const whole = await exported('partner')
  assert.equal(whole.status, 200)
  assert.ok(whole.body.split('\r\n').length >= 10_003)
})

test('where roles are enforced a request needs a user, in development too', async () => {
  assert.equal((await api.call('GET', '/api/stats', undefined, { headers: {} })).status, 401)
})

test('without ENFORCE_ROLES, development restricts no one, and roles cannot be set', async () => {
  const open = await testApp()
  try {
    await userWithRole(open, 'viewer@example.com', 'viewer')
    for (const options of [as('viewer'), { headers: {} }])
      assert.equal((await open.call('POST', '/api/companies', { name: 'Any' }, options)).status, 201)
    const changed = await open.call(
      'PATCH',
      '/api/users/viewer@example.com',
      { role: 'partner' },
      { headers: {} },
    )
    assert.equal(changed.status, 400)
  } finally {
    await open.close()
  }
})
