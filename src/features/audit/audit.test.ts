import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql } from 'kysely'
import { pino } from 'pino'
import { type TestApp, testApp } from '#src/testing/app.ts'
import { userWithRole } from '#src/testing/credentials.ts'
import { eventually } from '#src/testing/eventually.ts'
import { ada, PRODUCTION } from '#src/testing/settings.ts'
import { AuditLog } from './audit-log.ts'
import { MAX_DENIALS, MAX_DENIALS_PER_CALLER } from './denial-limit.ts'
import { verifyAuditLog } from './verify.ts'

let api: TestApp
const log: string[] = []
before(async () => {
  const output = { write: (line: string) => void log.push(line) }
  api = await testApp({}, { log: pino({ level: 'info' }, output) })
})
after(() => api.close())

const browser = 'Mozilla/5.0 (Tests)'
const as = (email: string, more: object = {}) => ({
  headers: { 'x-user-email': email, 'user-agent': browser, 'x-request-id': 'request-1', ...more },
  remoteAddress: '203.0.113.7',
})

/** The entries that match a query, newest first. */
async function entries(query = ''): Promise<Record<string, unknown>[]> {
  await api.context.audit.flush()
  const { status, body } = await api.call('GET', `/api/audit?${query}`)
  assert.equal(status, 200, JSON.stringify(body))
  return body.data
}

const importCsv = (csv: string, email: string) =>
  api.call('POST', '/api/companies/import', undefined, {
    payload: csv,
    ...as(email, { 'content-type': 'text/csv' }),
  })

test('an export is recorded with its filter and the number of rows', async () => {
  await api.call('POST', '/api/companies', { name: 'Acme', country_code: 'DE' })
  await api.call('POST', '/api/companies', { name: 'Other', country_code: 'FR' })
  await api.call('GET', '/api/companies/export?country_code=de', undefined, as('eve@example.com'))
  const [entry] = await entries('event=export')
  const { id, at, ...others } = entry as { id: string; at: string }
  assert.match(id, /^aud_/)
  assert.match(at, /^\d{4}-.*Z$/)
  assert.deepEqual(others, {
    event: 'export',
    user_email: 'eve@example.com',
    address: '203.0.113.7',
    browser,
    request_id: 'request-1',
    details: { resource: 'companies', filter: { country_code: ['DE'] }, rows: 1, complete: true },
  })
})

test('an import is recorded with its counts, a dry run and one without changes are not', async () => {
  await importCsv('name\nImported\n', 'import@example.com')
  await importCsv('name\nImported\n', 'import@example.com')
  const found = await entries('event=import')
  const others = { updated: 0, unchanged: 0, failed: 0, restored: 0, trashed: 0, left_out: 0, conflicts: 0 }
  assert.deepEqual(
    found.map(({ user_email, details }) => [user_email, details]),
    [['import@example.com', { type: 'company', created: 1, ...others, complete: true }]],
  )
})

test('the start of a bulk action is recorded, a rejected one is not', async () => {
  const { data } = (await api.call('POST', '/api/companies', { name: 'Bulk' })).body
  const action = { action_type: 'llm_score', company_ids: [data.id] }
  const created = await api.call('POST', '/api/bulk-actions', action, as('bulk@example.com'))
  await api.call('POST', '/api/bulk-actions', { ...action, company_ids: ['cmp_x'] }, as('bulk@example.com'))
  const found = await entries('user_email=BULK@example.com')
  assert.equal(found.length, 1)
  const { event, details } = found[0] as { event: string; details: object }
  assert.equal(event, 'bulk_action_started')
  assert.deepEqual(details, {
    bulk_action_id: created.body.data.id,
    action_type: 'llm_score',
    total_companies: 1,
    priority: 50,
  })
})

test('a denied request is recorded and logged with its reason; an unauthenticated one is only logged', async () => {
  const reason = 'This origin may not change data; add it to CORS_ORIGINS to allow it.'
  const foreign = as('denied@example.com', { origin: 'https://evil.example' })
  assert.equal((await api.call('POST', '/api/companies', { name: 'X' }, foreign)).status, 403)
  const secret = 'a-very-secret-token'
  const invalid = as('denied@example.com', { authorization: `Bearer ${secret}`, cookie: 'other=s3cret' })
  assert.equal((await api.call('GET', '/api/companies', undefined, invalid)).status, 401)
  const [entry, ...others] = await entries('event=permission_denied')
  assert.deepEqual(others, [])
  assert.deepEqual(entry?.details, { method: 'POST', route: '/api/companies', reason })
  assert.equal(entry?.address, '203.0.113.7')
  const lines = log.map((line) => JSON.parse(line)).filter(({ status }) => status === 401 || status === 403)
  assert.deepEqual(
    lines.map(({ status, address, reason }) => [status, address, /^(?:This origin|The bearer)/.test(reason)]),
    [
      [403, '203.0.113.7', true],
      [401, '203.0.113.7', true],
    ],
  )
  assert.doesNotMatch(log.join(''), /a-very-secret-token|s3cret/)
})

test('many denials of one caller are counted instead of recorded', async () => {
  const foreign = { headers: { origin: 'https://evil.example' }, remoteAddress: '203.0.113.50' }
  for (let n = 0; n < MAX_DENIALS_PER_CALLER + 5; n++) await api.call('POST', '/api/companies', {}, foreign)
  assert.equal((await entries('address=203.0.113.50')).length, MAX_DENIALS_PER_CALLER)
})

test('denied permissions do not crowd out refused sign-ins, and both are counted beyond their limits', async () => {
  const { db, log: logger } = api.context
  const flooded = new AuditLog(db, logger)
  const from = (n: number) => ({ ...request, id: 'flood', ip: `2001:db8::${n}` })
  for (let n = 0; n < MAX_DENIALS + 2; n++)
    flooded.deny({ ...from(n), user: { email: `${n}@example.com` } }, { event: 'permission_denied' })
  // A /64 network counts as one caller, regardless of the user.
  for (let n = 0; n < MAX_DENIALS_PER_CALLER + 3; n++)
    flooded.deny({ ...from(n), user: { email: `${n}@example.com` } }, { event: 'sign_in_refused' })
  await flooded.close()
  const numbersOf = async (event: string) => {
    const found = await entries(`event=${event}&limit=1000`)
    const isFlood = ({ request_id }: Record<string, unknown>) => request_id === 'flood'
    const details = found.map((entry) => entry.details as { not_recorded?: number })
    return [found.filter(isFlood).length, details.find(({ not_recorded }) => not_recorded)?.not_recorded]
  }
  assert.deepEqual(await numbersOf('permission_denied'), [MAX_DENIALS, 2])
  assert.deepEqual(await numbersOf('sign_in_refused'), [MAX_DENIALS_PER_CALLER, 3])
})

test('filters and pages', async () => {
  const all = await entries('limit=1000')
  const newest = all[0] as { at: string }
  const countOf = async (query: string) =>
    (await api.call('GET', `/api/audit?${query}`)).body.pagination.total as number
  assert.equal(await countOf(''), all.length)
  assert.equal(await countOf('address=203.0.113.7&event=export'), 1)
  assert.equal(await countOf('address=203.0.113.8'), 0)
  assert.equal(await countOf(`until=${newest.at}`), all.length - (await countOf(`since=${newest.at}`)))
  const second = (await api.call('GET', '/api/audit?limit=1&offset=1')).body
  assert.deepEqual(second.data, all.slice(1, 2))
  for (const [query, message] of [
    ['event=spaceship', /event must be one of signed_in, .*, not "spaceship"/],
    ['since=yesterday', /since must be a time such as/],
    ['user=ada', /user/],
  ] as const) {
    const { status, body } = await api.call('GET', `/api/audit?${query}`)
    assert.equal(status, 400, query)
    assert.match(body.details, message)
  }
})

test('the CSV export has the entries of the list, oldest first, and is recorded itself', async () => {
  await api.call('GET', '/api/companies/export', undefined, as('csv@example.com', { 'user-agent': '=1+1' }))
  const [entry] = await entries('user_email=csv@example.com')
  const { body, headers } = await api.call('GET', '/api/audit/export?user_email=csv@example.com')
  assert.match(String(headers['content-disposition']), /audit\.csv/)
  const [header, line] = body.split('\r\n')
  assert.equal(header, 'id,at,event,user_email,address,browser,request_id,details')
  assert.ok(line.startsWith(`${entry?.id},${entry?.at},export,csv@example.com,203.0.113.7,'=1+1,request-1,`))
  const [recorded] = await entries('event=export')
  const filter = { user_email: 'csv@example.com' }
  assert.deepEqual(recorded?.details, { resource: 'audit', filter, rows: 1, complete: true })
  const whole = (await api.call('GET', '/api/audit/export')).body.split('\r\n')
  assert.deepEqual(
    whole.slice(1, -1).map((text: string) => text.slice(0, 30)),
    (await entries('limit=1000&until=9999-01-01T00:00:00Z'))
      .slice(1)
      .map(({ id }) => id)
      .toReversed(),
  )
})

test('requests succeed while the log cannot be written, and it catches up', async () => {
  const { audit, db } = api.context
  await audit.flush()
  await sql`alter table audit_entries rename to unavailable`.execute(db)
  const { status } = await api.call('GET', '/api/companies/export', undefined, as('late@example.com'))
  assert.equal(status, 200)
  for (let n = 0; n < 1100; n++) audit.record({ ...request, id: `r${n}` }, { event: 'signed_out' })
  await assert.rejects(audit.flush())
  await sql`alter table unavailable rename to audit_entries`.execute(db)
  await eventually(async () => assert.equal((await entries('event=entries_lost')).length, 1))
  assert.equal((await entries('user_email=late@example.com')).length, 1)
  const [lost] = await entries('event=entries_lost')
  assert.deepEqual(lost?.details, { entries: 101 })
  assert.equal((await entries('event=signed_out&limit=1000')).length, 999)
  assert.equal((await verifyAuditLog(db)).intact, true)
})

const request = { user: { email: ada }, ip: '203.0.113.9', id: 'r', headers: {} }

test('in production only admins may read the log', async () => {
  const production = await testApp(PRODUCTION)
  try {
    const { audit, sessions } = production.context
    const token = await sessions.sign({ sub: 'ada', email: ada })
    const headers = { authorization: `Bearer ${token}`, 'x-forwarded-proto': 'https' }
    const answers = async () => [
      await production.call('GET', '/api/audit', undefined, { headers }),
      await production.call('GET', '/api/audit/export', undefined, { headers }),
    ]
    await production.call('GET', `/api/users/${ada}`, undefined, { headers })
    for (const { status, body } of await answers()) {
      assert.equal(status, 403)
      assert.equal(
        body.details,
        'You need permission to read the audit log (audit). Your role is member; needed: admin.',
      )
    }
    await userWithRole(production, ada, 'admin')
    for (const { status } of await answers()) assert.equal(status, 200)
    await audit.flush()
    const { body } = await production.call('GET', '/api/audit?event=permission_denied', undefined, {
      headers,
    })
    assert.deepEqual(
      body.data.map(({ user_email, details }: { user_email: string; details: object }) => [
        user_email,
        details,
      ]),
      ['/api/audit/export', '/api/audit'].map((route) => [
        ada,
        {
          method: 'GET',
          route,
          reason: 'You need permission to read the audit log (audit). Your role is member; needed: admin.',
        },
      ]),
    )
  } finally {
    await production.close()
  }
})
