import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql } from 'kysely'
import { type TestApp, testApp } from '#src/testing/app.ts'
import { bearer, keyOf, userWithRole } from '#src/testing/credentials.ts'
import { eventually } from '#src/testing/eventually.ts'
import { twoServices } from '#src/testing/processes.ts'
import { MAX_KEYS_PER_USER } from './schema.ts'

const ada = { 'x-user-email': 'ada@example.com' }
const admin = { 'x-user-email': 'admin@example.com' }
const member = { 'x-user-email': 'member@example.com' }
let one: TestApp
let other: TestApp
let close: () => Promise<void>
before(async () => {
  ;({ one, other, close } = await twoServices())
  await userWithRole(one, 'ada@example.com', 'partner')
  await userWithRole(one, 'admin@example.com', 'admin')
  await userWithRole(one, 'member@example.com', 'member')
})
after(() => close())

const statusOf = async (api: TestApp, headers: Record<string, string>, url = '/api/stats') =>
  (await api.call('GET', url, undefined, { headers })).status

test('a key is shown once, works in every process at once, is listed, and is a 401 after it was revoked', async () => {
  const body = { name: ' Nightly export ', scopes: ['read', 'export', 'read'] }
  const { status, body: created } = await one.call('POST', '/api/keys', body, { headers: ada })
  assert.equal(status, 201)
  const { key, ...record } = created.data
  assert.match(key, /^dp_[0-9A-Za-z]{36}$/)
  assert.deepEqual(
    [record.name, record.scopes, record.role],
    ['Nightly export', ['read', 'export'], 'partner'],
  )
  assert.ok(Math.abs(Date.parse(record.expires_at) - Date.now() - 90 * 86_400_000) < 60_000)

  assert.equal(await statusOf(other, bearer(key)), 200)
  assert.equal(await statusOf(one, bearer(key)), 200)
  const me = await one.call('GET', '/api/auth/me', undefined, { headers: bearer(key) })
  assert.deepEqual([me.body.data.email, me.body.data.signed_in_by], ['ada@example.com', 'key'])
  assert.deepEqual(me.body.data.permissions, ['read', 'export', 'export_unlimited'])

  await one.context.flushUses()
  const [listed] = (await one.call('GET', '/api/keys', undefined, { headers: ada })).body.data
  assert.ok(Math.abs(Date.parse(listed.last_used_at) - Date.now()) < 60_000)
  assert.deepEqual(listed, { ...record, last_used_at: listed.last_used_at, last_used_address: '127.0.0.1' })
  assert.ok(!JSON.stringify(listed).includes(key.slice(10)))

  assert.equal((await one.call('DELETE', `/api/keys/${record.id}`, undefined, { headers: ada })).status, 204)
  const refused = await one.call('GET', '/api/stats', undefined, { headers: bearer(key) })
  assert.equal(refused.status, 401)
  assert.match(refused.body.details, /^The API key is not valid\. It was revoked/)
  await eventually(async () => assert.equal(await statusOf(other, bearer(key)), 401))
  assert.equal((await one.call('DELETE', `/api/keys/${record.id}`, undefined, { headers: ada })).status, 404)
})

test('creating and revoking a key are recorded with its id, prefix, scopes and owner, and no secret', async () => {
  await one.context.audit.flush()
  const { id, key } = await keyOf(one, ada, { name: 'Private words', scopes: ['read'], expires_at: null })
  assert.equal((await one.call('DELETE', `/api/keys/${id}`, undefined, { headers: admin })).status, 204)
  const { body } = await one.call('GET', '/api/audit?limit=2', undefined, { headers: admin })
  const about = { key_id: id, user_email: 'ada@example.com', prefix: key.slice(0, 8) }
  assert.deepEqual(
    body.data.map(({ event, user_email, details }: Record<string, unknown>) => [event, user_email, details]),
    [
      ['key_revoked', 'admin@example.com', about],
      ['key_created', 'ada@example.com', { ...about, scopes: ['read'], role: 'partner', expires_at: null }],
    ],
  )
  assert.doesNotMatch(JSON.stringify(body), /Private words/)
  assert.ok(!JSON.stringify(body).includes(key.slice(9)))
})

test('a key is not created if that cannot be recorded', async () => {
  const { db } = one.context
  const count = async () =>
    (await one.call('GET', '/api/keys', undefined, { headers: ada })).body.pagination.total
  const before = await count()
  await sql`alter table audit_entries rename to unavailable`.execute(db)
  try {
    const body = { name: 'Unrecorded', scopes: ['read'] }
    assert.equal((await one.call('POST', '/api/keys', body, { headers: ada })).status, 500)
  } finally {
    await sql`alter table unavailable rename to audit_entries`.execute(db)
  }
  assert.equal(await count(), before)
})

test('the database holds no key, only its hash', async () => {
  const { key } = await keyOf(one, ada, { scopes: ['read'] })
  const { rows } = await sql<{ text: string }>`
    select string_agg(row_to_json(api_keys)::text, '') as text from api_keys`.execute(one.context.db)
  assert.ok(!rows[0]?.text.includes(key.slice(9)))
})

test('a key does what its scopes allow and no more, and a 403 names the missing scope', async () => {
  const { headers } = await keyOf(one, ada, { scopes: ['read'] })
  assert.equal(await statusOf(one, headers, '/api/companies/facets'), 200)
  const refused = await one.call('POST', '/api/companies', { name: 'X' }, { headers })
  assert.equal(refused.status, 403)
  assert.match(
    refused.body.details,
    /needs the scope write for permission to create and change records \(write\)/,
  )
  assert.equal(await statusOf(one, headers, '/api/companies/export'), 403)
})

test('a key never has more permissions than its owner has at the moment', async () => {
  await userWithRole(one, 'demoted@example.com', 'partner')
  const { headers } = await keyOf(one, { 'x-user-email': 'demoted@example.com' }, { scopes: ['write'] })
  const create = () => one.call('POST', '/api/companies', { name: 'By key' }, { headers })
  assert.equal((await create()).status, 201)
  const demote = { role: 'viewer' }
  await one.call('PATCH', '/api/users/demoted@example.com', demote, { headers: admin })
  assert.equal((await create()).status, 403)
  await one.call('PATCH', '/api/users/demoted@example.com', { disabled: true }, { headers: admin })
  assert.equal((await create()).status, 401)
})

test('a key with a lower role acts with that role', async () => {
  const { headers } = await keyOf(one, ada, { scopes: ['read', 'write'], role: 'viewer' })
  assert.equal(await statusOf(one, headers), 200)
  assert.equal((await one.call('POST', '/api/companies', { name: 'X' }, { headers })).status, 403)
})

test('an expired key is a 401', async () => {
  const { id, headers } = await keyOf(one, ada, { scopes: ['read'], expires_at: null })
  assert.equal(await statusOf(one, headers), 200)
  await sql`
    update api_keys set expires_at = now() - interval '1 minute', access_changed_at = now() where id = ${id}`.execute(
    one.context.db,
  )
  await one.context.access.refresh()
  assert.equal(await statusOf(one, headers), 401)
})

test('only an admin gives the scope worker, and such a key stands for the worker while its owner is an admin', async () => {
  const refused = await one.call('POST', '/api/keys', { name: 'W', scopes: ['worker'] }, { headers: ada })
  assert.equal(refused.status, 403)
  assert.match(refused.body.details, /manage_users/)
  const worker = await keyOf(one, admin, { scopes: ['worker'], role: 'viewer' })
  const company_ids = [
    (await one.call('POST', '/api/companies', { name: 'A' }, { headers: ada })).body.data.id,
  ]
  const action = { action_type: 'generate_embeddings', company_ids }
  const { id } = (await one.call('POST', '/api/bulk-actions', action, { headers: ada })).body.data
  const report = { status: 'completed', processed_companies: 1 }
  const patch = (headers: Record<string, string>) =>
    one.call('PATCH', `/api/bulk-actions/${id}`, report, { headers })
  assert.equal((await patch(member)).status, 403)
  assert.equal((await patch(admin)).status, 403)
  assert.equal((await patch(worker.headers)).body.data?.status, 'completed')
  assert.equal((await one.call('POST', '/api/companies', { name: 'X' }, worker)).status, 403)

  const boss = { 'x-user-email': await userWithRole(one, 'boss@example.com', 'admin') }
  const bossKey = await keyOf(one, boss, { scopes: ['worker'] })
  const requests = () =>
    Promise.all([
      one.call('GET', '/api/companies', undefined, bossKey),
      one.call('POST', '/api/bulk-actions', action, bossKey),
    ])
  assert.deepEqual(
    (await requests()).map(({ status }) => status),
    [200, 201],
  )
  await userWithRole(one, 'boss@example.com', 'partner')
  for (const { status, body } of await requests()) {
    assert.equal(status, 403)
    assert.match(body.details, /Its scopes: none \(worker counts only while its owner is an admin\)/)
  }
  await userWithRole(one, 'boss@example.com', 'admin')
  assert.deepEqual(
    (await requests()).map(({ status }) => status),
    [200, 201],
  )
})

test('a key that creates keys gives none more than it has', async () => {
  const soon = new Date(Date.now() + 3600_000).toISOString()
  const { headers } = await keyOf(one, ada, { scopes: ['read', 'admin'], expires_at: soon })
  const create = (body: object) => one.call('POST', '/api/keys', { name: 'N', ...body }, { headers })
  const wider = await create({ scopes: ['read', 'write'], expires_at: soon })
  assert.equal(wider.status, 403)
  assert.match(wider.body.details, /scope write, which it does not have/)
  assert.equal((await create({ scopes: ['read'] })).status, 403)
  assert.equal((await create({ scopes: ['read'], expires_at: soon })).status, 201)
})

test('a key gives no role above its own, even where roles are not enforced', async () => {
  const api = await testApp()
  try {
    const { body } = await api.call('POST', '/api/keys', {
      name: 'Keys',
      scopes: ['read', 'admin'],
      role: 'viewer',
    })
    const headers = bearer(body.data.key)
    const refused = await api.call(
      'POST',
      '/api/keys',
      { name: 'x', scopes: ['read'], role: 'partner' },
      { headers },
    )
    assert.equal(refused.status, 400)
    assert.match(refused.body.details, /^role must not be above your own role, which is viewer/)
  } finally {
    await api.close()
  }
})

test('the error for an invalid key names the field', async () => {
  const future = '2999-01-01T00:00:00.000Z'
  for (const [body, message] of [
    [{ scopes: ['read'] }, /name/],
    [{ name: ' ', scopes: ['read'] }, /name/],
    [{ name: 'x'.repeat(101), scopes: ['read'] }, /name/],
    [{ name: 'x', scopes: [] }, /scopes/],
    [{ name: 'x', scopes: ['everything'] }, /scopes/],
    [{ name: 'x', scopes: ['read'], role: 'owner' }, /role/],
    [
      { name: 'x', scopes: ['read'], role: 'admin' },
      /role must not be above your own role, which is partner/,
    ],
    [
      { name: 'x', scopes: ['read'], expires_at: '9999-12-31T23:59:59-15:59' },
      /expires_at must be a time such as/,
    ],
    [
      { name: 'x', scopes: ['read'], expires_at: '2020-01-01T00:00:00.000Z' },
      /expires_at must be in the future/,
    ],
    [{ name: 'x', scopes: ['read'], expires_at: 'soon' }, /expires_at/],
    [{ name: 'x', scopes: ['read'], expires_at: future, more: 1 }, /more/],
  ] as const) {
    const { status, body: answer } = await one.call('POST', '/api/keys', body, { headers: ada })
    assert.equal(status, 400, JSON.stringify(body))
    assert.match(answer.details, message)
  }
})

test('users manage their own keys, and admins those of others', async () => {
  const { id } = await keyOf(one, ada, { scopes: ['read'] })
  const url = '/api/keys?user_email=ADA@example.com'
  assert.equal(await statusOf(one, member, url), 403)
  assert.equal((await one.call('DELETE', `/api/keys/${id}`, undefined, { headers: member })).status, 403)
  const { data } = (await one.call('GET', url, undefined, { headers: admin })).body
  assert.ok(data.some((key: { id: string }) => key.id === id))
  assert.equal((await one.call('DELETE', `/api/keys/${id}`, undefined, { headers: admin })).status, 204)
})

test(`a user may have ${MAX_KEYS_PER_USER} keys`, async () => {
  await sql`
    insert into api_keys (id, name, user_email, prefix, hash, scopes, role, created_at)
    select 'key_' || n, 'Many', 'many@example.com', 'dp_', 'hash' || n, '{read}', 'member', now()
    from generate_series(1, ${sql.lit(MAX_KEYS_PER_USER)}) n`.execute(one.context.db)
  const headers = { 'x-user-email': 'many@example.com' }
  const refused = await one.call('POST', '/api/keys', { name: 'x', scopes: ['read'] }, { headers })
  assert.equal(refused.status, 400)
  assert.match(refused.body.details, /You have 100 keys/)
})
