import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { sql } from 'kysely'
import type { Database, Db } from '#src/platform/database/database.ts'
import { freshDatabase } from '#src/testing/database.ts'
import { auditEntry, insertAuditEntries, listAuditEntries, recordAudit } from './store.ts'
import { verifyAuditLog } from './verify.ts'

let database: Database
let db: Db
before(async () => {
  database = await freshDatabase()
  db = database.db
})
after(() => database.close())
beforeEach(() => sql`truncate audit_entries`.execute(db))

const ada = {
  user: { email: 'ada@example.com' },
  ip: '203.0.113.7',
  id: 'r-1',
  headers: { 'user-agent': 'x' },
}

async function fill(count: number): Promise<void> {
  const entries = Array.from({ length: count }, (_, n) =>
    auditEntry(ada, { event: 'export', details: { rows: n, 'ä "quoted"\\': '\u{1f600}' } }),
  )
  await insertAuditEntries(db, entries)
}

test('an empty log and an untouched one are intact', async () => {
  assert.deepEqual(await verifyAuditLog(db), { intact: true, entries: 0, last: undefined })
  await fill(1001)
  await recordAudit(db, { user: null, ip: null, id: null, headers: {} }, { event: 'signed_in' })
  const result = await verifyAuditLog(db)
  assert.ok(result.intact)
  assert.equal(result.entries, 1002)
  assert.match(result.last?.hash ?? '', /^[0-9a-f]{64}$/)
})

test('writers in concurrent transactions make one chain, and those that roll back leave no gap', async () => {
  const write = (n: number) =>
    db.transaction().execute(async (transaction) => {
      await recordAudit(transaction, ada, { event: 'import', details: { n } })
      if (n % 5 === 0) throw new Error('rolled back')
    })
  const results = await Promise.allSettled(Array.from({ length: 100 }, (_, n) => write(n)))
  assert.equal(results.filter(({ status }) => status === 'fulfilled').length, 80)
  const result = await verifyAuditLog(db)
  assert.ok(result.intact, JSON.stringify(result))
  assert.equal(result.entries, 80)
})

test('entries that were written already are skipped', async () => {
  const entries = [1, 2, 3].map(() => auditEntry(ada, { event: 'signed_out' }))
  await insertAuditEntries(db, entries.slice(0, 2))
  await insertAuditEntries(db, entries)
  const result = await verifyAuditLog(db)
  assert.ok(result.intact)
  assert.equal(result.entries, 3)
  assert.equal((await listAuditEntries(db, {})).total, 3)
})

test('every change of an entry is found', async () => {
  const changes: [string, RegExp][] = [
    [`update audit_entries set user_email = 'eve@example.com' where position = 3`, /content/],
    [`update audit_entries set user_email = null where position = 3`, /content/],
    [`update audit_entries set address = '203.0.113.8' where position = 3`, /content/],
    [`update audit_entries set browser = 'y' where position = 3`, /content/],
    [`update audit_entries set details = '{}' where position = 3`, /content/],
    [`update audit_entries set event = 'import' where position = 3`, /hash/],
    [`update audit_entries set at = at + interval '1 second' where position = 3`, /hash/],
    [`update audit_entries set request_id = 'r-2' where position = 3`, /hash/],
    [`update audit_entries set id = 'aud_x' where position = 3`, /hash/],
    [
      `update audit_entries set address = null, salts = array[salts[1], null, salts[3], salts[4]] where position = 3`,
      /without an erasure/,
    ],
    [
      `update audit_entries set user_email = 'erased-0123456789abcdef@users.invalid',
        salts = array[null, salts[2], salts[3], salts[4]] where position = 3`,
      /1 entries were changed to erased-0123456789abcdef@users.invalid, and an erasure of 0 is recorded/,
    ],
  ]
  for (const [change, error] of changes) {
    await sql`truncate audit_entries`.execute(db)
    await fill(5)
    await sql.raw(change).execute(db)
    const result = await verifyAuditLog(db)
    assert.ok(!result.intact, change)
    assert.deepEqual([result.position, error.test(result.error)], [3, true], `${change}: ${result.error}`)
  }
})

test('removed entries are found, at the end with an entry of an earlier check', async () => {
  await fill(5)
  const earlier = await verifyAuditLog(db)
  assert.ok(earlier.intact)
  await sql`delete from audit_entries where position = 5`.execute(db)
  assert.equal((await verifyAuditLog(db)).intact, true)
  assert.deepEqual(await verifyAuditLog(db, earlier.last), {
    intact: false,
    position: 5,
    id: undefined,
    error: 'it is missing',
  })
  await fill(2)
  const rewritten = await verifyAuditLog(db, earlier.last)
  assert.ok(!rewritten.intact)
  assert.deepEqual([rewritten.position, rewritten.error], [5, 'it is not the known entry'])
  await sql`delete from audit_entries where position = 2`.execute(db)
  const removed = await verifyAuditLog(db)
  assert.ok(!removed.intact)
  assert.deepEqual([removed.position, removed.error], [3, 'entry 2 is missing'])
})
