import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { after, before, test } from 'node:test'
import { sql } from 'kysely'
import pg from 'pg'
import { COUNTERS } from '#src/counters.ts'
import { verifyAuditLog } from '#src/features/audit/verify.ts'
import { filesOf } from '#src/features/files/files.fixture.ts'
import type { Database, Db } from '#src/platform/database/database.ts'
import { openDatabase } from '#src/platform/database/open.ts'
import { type TestApp, testApp } from '#src/testing/app.ts'
import { runCommandLine } from '#src/testing/command-line.ts'
import { keyOf, sessionCookieOf } from '#src/testing/credentials.ts'
import { freshDatabase, prepareDataFolder, testServer } from '#src/testing/database.ts'
import { eventually } from '#src/testing/eventually.ts'
import { slow } from '#src/testing/slow.ts'
import { eraseUser } from './erase.ts'
import { exportUser } from './export.ts'

let folder: string
let database: Database
let settings: Record<string, string>
let api: TestApp
before(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'deal-pipeline-privacy-'))
  await prepareDataFolder(folder)
  database = testServer
    ? await freshDatabase()
    : await openDatabase({ databaseUrl: undefined, dataFolder: folder })
  settings =
    'connectionString' in database.source
      ? { DATABASE_URL: database.source.connectionString, DATA_DIR: folder }
      : { DATA_DIR: folder }
  api = await testApp({}, { database })
})
after(async () => {
  await api.close()
  await rm(folder, { recursive: true, force: true })
})

const ZOE = 'zoe.o+crm@example.com'
/** Longer addresses that contain hers. */
const OTHERS = ['azoe.o+crm@example.com', 'zoe.o+crm@example.com.au']

/** Every way in which the service stores an address, and texts that mention one. */
async function useEverything(email: string): Promise<void> {
  const options = { headers: { 'x-user-email': email, 'user-agent': 'Tests' } }
  const mentions = `Ask ${email.toUpperCase()}, \n${email}.`
  const { data: company } = (
    await api.call(
      'POST',
      '/api/companies',
      {
        name: `Firm of ${email}`,
        website: `https://example.com/?by=${encodeURIComponent(email)}`,
        activity_description: `${mentions} https://example.com/${encoded(email)}`,
        executives: [{ name: 'Zoe', email, note: mentions }],
        financials: { [email]: 'é' },
      },
      options,
    )
  ).body
  await api.call('PATCH', `/api/companies/${company.id}`, { hq_city: 'Oslo' }, options)
  await api.call('POST', '/api/dealflow', { company_id: company.id, notes: mentions }, options)
  await api.call('POST', '/api/theses', { code: email.slice(0, 20), title: mentions }, options)
  await api.call('GET', `/api/users/${email}`, undefined, options)
  const owned = { owner_email: email, tags: [`by ${email}`] }
  await api.call('PATCH', `/api/companies/${company.id}`, owned, options)
  const person = { name: 'Zoe', emails: [email], headline: mentions, owner_email: email }
  await api.call('POST', '/api/people', person, options)
  const note = { body: mentions, about: [{ type: 'company', id: company.id }], visibility: 'private' }
  assert.equal((await api.call('POST', '/api/notes', note, options)).status, 201)
  const mention = await api.call('POST', '/api/notes', { ...note, mentions: [email] })
  await api.call('PATCH', `/api/notes/${mention.body.data.id}`, { body: `${mentions} Again.` })
  assert.equal((await api.call('POST', '/api/calendar', undefined, options)).status, 201)
  const decision = { company_id: company.id, body: mentions, asked: [email] }
  const { id } = (await api.call('POST', '/api/decisions', decision, options)).body.data
  const task = { title: mentions, about: note.about, assignee_email: email }
  assert.equal((await api.call('POST', '/api/tasks', task, options)).status, 201)
  const file = { about: note.about, fileName: `From ${email} again.txt`, visibility: 'private' }
  const uploaded = await filesOf(() => api).upload(file, email)
  await filesOf(() => api).version(uploaded.id, 'Another', email)
  const vote = { vote: 'yes', comment: mentions }
  assert.equal((await api.call('PUT', `/api/decisions/${id}/vote`, vote, options)).status, 200)
  const view = { entity: 'company', name: 'Mine', filter: { field: 'owner_email', op: 'eq', value: email } }
  const { data: saved } = (await api.call('POST', '/api/views', view, options)).body
  await api.call('PUT', '/api/views/order', { entity: 'company', view_ids: [saved.id] }, options)
  const action = { action_type: 'llm_score', company_ids: [company.id] }
  await api.call('POST', '/api/bulk-actions', action, options)
  const field = { entity: 'company', label: `Contact ${email}`, type: 'text' }
  const { key } = (await api.call('POST', '/api/fields', field, options)).body.data
  assert.equal(key, `contact_${email.replace(/\W/g, '_')}`)
  await api.call('PATCH', `/api/companies/${company.id}`, { custom: { [key]: 'met' } }, options)
  await api.call('PATCH', `/api/users/${email}`, { preferences: { team: [email] } }, options)
  const feedback = { title: mentions, page: `/activity?user=${encodeURIComponent(email)}` }
  await api.call('POST', '/api/feedback', feedback, {
    headers: { ...options.headers, 'idempotency-key': 'one' },
  })
  await api.call('GET', `/api/companies/export?search=${encodeURIComponent(email)}`, undefined, options)
  api.context.audit.record(request('ben@example.com'), {
    event: 'role_changed',
    details: { user_email: email, role: 'partner' },
  })
  api.context.audit.record(
    { ...request('ben@example.com'), user: null },
    { event: 'sign_in_refused', details: { reason: `The email address ${email} may not sign in here.` } },
  )
  await sql`update activity set metadata =
    json_build_object('changes', json_build_object('owner_email', json_build_object('from', ${email}::text, 'to', null)))
    where user_email = ${email} and activity_type = 'company_updated'`.execute(database.db)
  await api.context.audit.flush()
}

/** Every character that a URL may encode, encoded. */
const encoded = (text: string): string =>
  text.replace(/[^a-z0-9]/g, (character) => `%${character.charCodeAt(0).toString(16)}`)

const request = (email: string) => ({ user: { email }, ip: '203.0.113.9', id: 'r', headers: {} })

/** Counts the rows of each table whose text contains the words, in any case. */
async function grep(db: Db, words: string): Promise<Record<string, number>> {
  const { rows: tables } = await sql<{ schema: string; name: string }>`
    select n.nspname as schema, c.relname as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where relkind = 'r' and nspname not in ('pg_catalog', 'information_schema')`.execute(db)
  const counts: Record<string, number> = {}
  for (const { schema, name } of tables) {
    const { rows } = await sql<{ count: number }>`
      select count(*)::int as count from ${sql.table(`${schema}.${name}`)} as record
      where position(${words.toLowerCase()} in lower(record::text)) > 0`.execute(db)
    if (rows[0]?.count) counts[name] = rows[0].count
  }
  return counts
}

test('erasing a user leaves no trace of the address in any table, and the audit log intact', async () => {
  const { db } = database
  await useEverything(ZOE)
  for (const other of OTHERS) await api.call('POST', '/api/companies', { name: `Firm of ${other}` })
  const before = await grep(db, ZOE)
  for (const table of [
    'activity',
    'audit_entries',
    'bulk_actions',
    'calendar_feeds',
    'companies',
    'dealflow',
    'decisions',
    'feedback',
    'file_versions',
    'files',
    'notes',
    'people',
    'private_records',
    'tasks',
    'users',
    'view_looks',
    'view_settings',
    'views',
  ])
    assert.ok(before[table], table)
  const totalBefore = (await api.call('GET', `/api/activity?user_email=${encodeURIComponent(ZOE)}`)).body

  const erasure = await eraseUser(db, COUNTERS, ZOE, api.config.authentication)
  assert.ok(erasure)
  const { pseudonym, changed } = erasure
  assert.match(pseudonym, /^erased-[0-9a-f]{16}@users\.invalid$/)
  assert.equal(changed.companies, 1)
  // Only the longer addresses of others still contain it.
  assert.deepEqual(await grep(db, ZOE), { companies: 2 })
  assert.deepEqual(await grep(db, encodeURIComponent(ZOE)), {})
  // The calendar address is revoked, not renamed.
  assert.equal((await grep(db, pseudonym)).calendar_feeds, undefined)
  assert.deepEqual(await grep(db, encoded(ZOE)), {})
  assert.deepEqual(await grep(db, 'zoe_o_crm_example_com'), {})

  const { rows: notes } = await sql<{ author: string; mentions: string[]; readers: string[] }>`
    select author_email as author, mentions, readers from notes join private_records using (id) order by id`.execute(
    db,
  )
  assert.deepEqual(notes, [
    { author: pseudonym, mentions: [], readers: [pseudonym] },
    { author: 'ada@example.com', mentions: [pseudonym], readers: ['ada@example.com', pseudonym] },
  ])
  assert.equal(
    (await api.call('GET', '/api/notes')).body.pagination.total,
    1,
    'no one else can read the other',
  )

  const { body } = await api.call('GET', `/api/activity?user_email=${pseudonym}`)
  assert.ok(body.pagination.total > 3)
  assert.equal(body.pagination.total, totalBefore.pagination.total)
  const { data: user } = (await api.call('GET', `/api/users/${pseudonym}`)).body
  assert.deepEqual(
    [user.name, user.role, user.preferences],
    ['Erased user', 'member', { view_mode: 'comfortable', notifications_enabled: true }],
  )
  const { data: companies } = (await api.call('GET', `/api/companies?search=Firm of ${pseudonym}`)).body
  assert.deepEqual(companies[0].financials, { [pseudonym]: 'é' })
  assert.equal(companies[0].executives[0].note, `Ask ${pseudonym}, \n${pseudonym}.`)
  const key = `contact_${pseudonym.replace(/\W/g, '_')}`
  assert.equal(companies[0].custom[key], 'met')
  await eventually(async () => {
    const { data: fields } = (await api.call('GET', '/api/fields')).body
    const field = fields.find((each: { key: string }) => each.key === key)
    assert.equal(field?.label, `Contact ${pseudonym}`)
  })
  assert.equal(companies[0].website, `https://example.com/?by=${pseudonym}`)

  const own = (await api.call('GET', `/api/audit?user_email=${pseudonym}`)).body.data
  assert.ok(own.length >= 2)
  for (const { address, browser } of own) assert.deepEqual([address, browser], [null, null])
  const [change] = (await api.call('GET', '/api/audit?event=role_changed')).body.data
  assert.deepEqual(
    [change.user_email, change.address, change.details],
    ['ben@example.com', '203.0.113.9', { user_email: pseudonym, role: 'partner' }],
  )
  const [recorded] = (await api.call('GET', '/api/audit?event=user_erased')).body.data
  assert.deepEqual(recorded.details, { pseudonym, audit_entries: changed.audit_entries })
  const result = await verifyAuditLog(db)
  assert.ok(result.intact, JSON.stringify(result))
})

test('changes to erased entries that no erasure records are found', async () => {
  const { db } = database
  const { rows } = await sql<{ position: number }>`
    select position::int from audit_entries where event = 'role_changed'`.execute(db)
  await sql`update audit_entries set user_email = details ->> 'user_email',
    salts = array[null, salts[2], salts[3], salts[4]] where event = 'role_changed'`.execute(db)
  assert.equal((await verifyAuditLog(db)).intact, true, 'one of the entries that the erasure counts')
  await sql`update audit_entries set salts = array[null, null, null, null]::text[],
    user_email = (select details ->> 'user_email' from audit_entries where event = 'role_changed')
    where event = 'user_erased'`.execute(db)
  const result = await verifyAuditLog(db)
  assert.ok(!result.intact)
  assert.match(result.error, /entries were changed to erased-.*, and an erasure of \d+ is recorded/)
  await sql`truncate audit_entries`.execute(db)
  assert.equal(rows.length, 1)
})

test('an export has everything stored about a user, and no secrets', async () => {
  const email = 'kim@example.com'
  await useEverything(email)
  const session = await sessionCookieOf(api, email)
  const key = await keyOf(api, session, { name: 'Laptop', scopes: ['read'] })
  assert.equal((await api.call('GET', '/api/stats', undefined, key)).status, 200)
  await api.context.flushUses()
  let text = ''
  for await (const part of exportUser(database.db, COUNTERS, email)) text += part
  const { email: named, tables } = JSON.parse(text)
  assert.equal(named, email)
  const found = await grep(database.db, email)
  // Counters are no records.
  const expected = Object.fromEntries(
    Object.entries(found).filter(([table]) => !/_counts$|_count_deltas$/.test(table)),
  )
  // The audit entry of the export itself is written after it.
  assert.equal(expected.audit_entries, tables.audit_entries.length + 1)
  assert.deepEqual(Object.keys(tables).sort(), Object.keys(expected).sort())
  assert.equal(tables.users[0].preferences.team[0], email)
  assert.ok(tables.feedback[0].title.includes(email))
  assert.ok(tables.notes.some((note: { author_email: string }) => note.author_email === email))
  assert.ok(!('request_hash' in tables.feedback[0]))
  assert.ok(!('salts' in tables.audit_entries[0]))
  assert.ok(!('token_hash' in tables.calendar_feeds[0]))
  const [stored] = tables.sessions
  assert.deepEqual([stored.user_email, stored.address], [email, '127.0.0.1'])
  assert.deepEqual([tables.api_keys[0].name, tables.api_keys[0].last_used_address], ['Laptop', '127.0.0.1'])
  const { rows } = await sql<{ hash: string }>`
    select hash from api_keys where user_email = ${email}`.execute(database.db)
  assert.ok(rows[0] && !text.includes(rows[0].hash) && !text.includes(key.key))
  const [recorded] = (await api.call('GET', '/api/audit?event=user_exported')).body.data
  assert.deepEqual(recorded.details, { email })
})

test('an erasure that failed continues with the same pseudonym', { skip: slow }, async () => {
  const email = 'lea@example.com'
  const { db } = database
  await useEverything(email)
  await sql`create function fail() returns trigger language plpgsql as
    'begin raise exception ''not now''; end'`.execute(db)
  await sql`create trigger fail before update of email on users execute function fail()`.execute(db)
  await assert.rejects(eraseUser(db, COUNTERS, email, api.config.authentication), /not now/)
  await sql`drop function fail() cascade`.execute(db)
  const { rows } = await sql<{ pseudonym: string }>`
    select pseudonym from erasures where email = ${email}`.execute(db)
  const pseudonym = rows[0]?.pseudonym
  assert.ok((await grep(db, String(pseudonym))).activity, 'it had started')
  const erasure = await eraseUser(db, COUNTERS, email, api.config.authentication)
  assert.equal(erasure?.pseudonym, pseudonym)
  assert.deepEqual(await grep(db, email), {})
  assert.equal(await eraseUser(db, COUNTERS, email, api.config.authentication), undefined)
  assert.deepEqual(await grep(db, email), {})
})

test('an erasure that was killed continues with the same pseudonym', {
  skip:
    slow || (testServer ? false : 'PostgreSQL only: nothing can watch a process on the embedded database'),
}, async () => {
  const email = 'mia@example.com'
  const { db } = database
  await useEverything(email)
  const holder = new pg.Client({ connectionString: settings.DATABASE_URL })
  await holder.connect()
  await holder.query(`begin; select from theses where title ilike '%${email}%' for update`)
  const main = path.resolve(import.meta.dirname, '../../cli/main.ts')
  const child = spawn(process.execPath, [main, 'user', 'erase', email], {
    env: settings,
    cwd: folder,
    stdio: 'ignore',
  })
  const exited = once(child, 'exit')
  let pseudonym: string | undefined
  try {
    pseudonym = await eventually(() => startedErasure(db, email))
  } finally {
    child.kill('SIGKILL')
    await exited
    await holder.query('rollback')
    await holder.end()
  }
  assert.ok((await grep(db, email)).audit_entries, 'it has not finished')
  const { status, output, errors } = await runCommandLine(['user', 'erase', email], {
    env: settings,
    cwd: folder,
  })
  assert.equal(status, 0, errors)
  assert.ok(output.startsWith(`${email} is now ${pseudonym}. Changed rows:`), output)
  assert.deepEqual(await grep(db, email), {})
})

/** The pseudonym of an erasure that has changed rows. */
async function startedErasure(db: Db, email: string): Promise<string | undefined> {
  const { rows } = await sql<{ pseudonym: string }>`
    select pseudonym from erasures where email = ${email}`.execute(db)
  const pseudonym = rows[0]?.pseudonym
  assert.ok((await grep(db, pseudonym ?? 'not started')).bulk_actions)
  return pseudonym
}

test('the commands erase, export and verify on the database of the service', { skip: slow }, async () => {
  const email = 'nia@example.com'
  await useEverything(email)
  await api.call('POST', '/api/people', { name: 'Kay', emails: ['kay@contact.example'] })
  const { db } = database
  // Only one process can open the embedded database, so the commands work on a copy.
  const copy = await mkdtemp(path.join(os.tmpdir(), 'deal-pipeline-privacy-copy-'))
  if (!testServer) {
    await sql`checkpoint`.execute(db)
    cpSync(path.join(folder, 'database'), path.join(copy, 'database'), { recursive: true })
  }
  const env = { ...settings, DATA_DIR: copy }
  const run = (...words: string[]) => runCommandLine(words, { env, cwd: copy })
  try {
    const exported = await run('user', 'export', email)
    assert.equal(JSON.parse(exported.output).tables.users[0].email, email, exported.errors)
    const verified = await run('audit', 'verify')
    assert.match(verified.output, /^The audit log is intact: \d+ entries\.\nLast entry: \d+:[0-9a-f]{64}\n$/)
    const known = /\d+:[0-9a-f]{64}/.exec(verified.output)?.[0] ?? ''
    const erased = await run('user', 'erase', email)
    assert.match(erased.output, / is now erased-.*\n(?: {2}\w+: \d+\n)+$/, erased.errors)
    assert.equal((await run('audit', 'verify', known)).status, 0)
    const wrong = await run('audit', 'verify', known.replace(/.$/, known.endsWith('0') ? '1' : '0'))
    assert.deepEqual(
      [wrong.status, /has been changed\. Entry \d+ \(aud_\w+\): it is not the known/.test(wrong.output)],
      [1, true],
    )
    assert.equal((await run('user', 'erase', email)).output, `Nothing is stored about ${email}.\n`)
    const contact = 'kay@contact.example'
    const { rows } = await sql<{ id: string }>`
      select id from people where emails @> array[${contact}]`.execute(db)
    const id = rows[0]?.id
    const data = await run('person', 'export', contact)
    assert.equal(JSON.parse(data.output).people[0].id, id, data.errors)
    const erasedContact = await run('person', 'erase', contact, '--executives', '--also', 'Kay')
    assert.match(
      erasedContact.output,
      new RegExp(
        `^${id} is erased\\. Notes searched: 0, decisions: 0, tasks: 0, files: 0\\. Changed rows:\n(?: {2}\\w+: \\d+\n)+$`,
      ),
      erasedContact.errors,
    )
    assert.equal((await run('person', 'erase', String(id))).output, `${id} was erased before.\n`)
    const gone = await run('person', 'erase', contact)
    assert.deepEqual(
      [gone.status, gone.errors.split('\n').at(-2)],
      [1, `No person has the email address ${contact}.`],
    )
    assert.match((await run('user', 'readmit', email)).output, / may sign in again, as a new user/)
    const again = await run('user', 'readmit', email)
    assert.deepEqual([again.status, again.output], [1, `${email} was not erased.\n`])
  } finally {
    await rm(copy, { recursive: true, force: true })
  }
})

test('an invalid command is an error in one sentence', {
  skip: slow || (testServer && 'needs no database'),
}, async () => {
  for (const [words, message] of [
    [['user', 'erase'], /user erase needs an email address/],
    [['user', 'erase', 'nobody'], /The user must be an email address, not "nobody"/],
    [['user', 'erase', 'root@example.com'], /root@example\.com is in ADMIN_EMAILS/],
    [['user', 'readmit'], /user readmit needs an email address/],
    [['user', 'rename', 'a@example.com'], /Unknown command: user rename/],
    [['person', 'erase'], /person erase needs the id or an email address of a person/],
    [['person', 'rename', 'per_x'], /Unknown command: person rename/],
    [['person', 'export', 'per_x', 'per_y'], /Unexpected argument: per_y/],
    [['audit', 'verify', '12'], /The entry must be a number, a colon and a hash/],
    [['audit', 'verify', '1', '2'], /Unexpected argument: 2/],
    [['user', 'export', 'a@example.com'], /There is no database in .*nowhere/],
  ] as const) {
    const env = { DATA_DIR: path.join(folder, 'nowhere'), ADMIN_EMAILS: 'Root@example.com' }
    const { status, output, errors } = await runCommandLine([...words], { env, cwd: folder })
    assert.ok(status > 0, words.join(' '))
    assert.equal(output, '')
    assert.match(errors, message)
    assert.doesNotMatch(errors, /\n {4}at /)
  }
})
