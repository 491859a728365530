import assert from 'node:assert/strict'
import { afterEach, beforeEach, test } from 'node:test'
import { sql } from 'kysely'
import { snapshot } from '#src/platform/database/snapshot.ts'
import { type TestApp, testApp } from '#src/testing/app.ts'
import { testServer } from '#src/testing/database.ts'
import { eventually } from '#src/testing/eventually.ts'
import { trimEvents } from './log.ts'
import { readEventRows } from './rows.ts'
import { readEvents } from './store.ts'

let api: TestApp
beforeEach(async () => {
  api = await testApp({ WORKER: 'off' })
})
afterEach(() => api.close())

const company = async (name: string): Promise<string> =>
  (await api.call('POST', '/api/companies', { name })).body.data.id
const get = (query: string) => api.call('GET', `/api/events/log?${query}`)
const idsOf = ({ body }: { body: { data: { data: { id: string } }[] } }) =>
  body.data.map(({ data }) => data.id)

/** Makes all entries so far older. */
const age = (days: number) =>
  sql`update events set at = at - make_interval(days => ${days})`.execute(api.context.db)

/** Waits for the transactions of other tests on the same server, which keep entries too. */
const settled = () =>
  eventually(async () => {
    const { rows } = await sql<{ isSettled: boolean }>`
      select coalesce(bool_and(xid < pg_snapshot_xmin(pg_current_snapshot())
        or xid > pg_snapshot_xmax(pg_current_snapshot())), true) as "isSettled" from events`.execute(
      api.context.backgroundDb,
    )
    assert.ok(rows[0]?.isSettled)
  })

async function trim(): Promise<void> {
  await settled()
  await trimEvents(api.context.backgroundDb)
}

async function readNow(): Promise<string> {
  const { rows } = await sql<{ position: string }>`select ${snapshot} as position`.execute(api.context.db)
  return rows[0]?.position as string
}

test('events are kept for 30 days, and what a cursor still needs is never missed silently', async () => {
  const first = (await get('after=now')).body.next
  const old = [await company('Old 1'), await company('Old 2'), await company('Old 3')]
  await settled()
  const halfway = (await get(`limit=2&after=${first}`)).body.next
  const done = (await get(`limit=3&after=${first}`)).body.next
  const later = (await get('after=now')).body.next
  await age(29)
  await trim()
  assert.deepEqual(idsOf(await get(`after=${first}`)), old)
  await age(2)
  const young = await company('Young')
  await trim()

  assert.deepEqual(idsOf(await get('')), [young])
  // These have read, or begin behind, all that was removed.
  for (const cursor of [done, later]) assert.deepEqual(idsOf(await get(`after=${cursor}`)), [young])
  for (const cursor of [first, halfway]) {
    const { status, body } = await get(`after=${cursor}`)
    assert.equal(status, 410)
    assert.equal(body.error, 'Gone')
    assert.match(
      body.details,
      /it keeps 30 days.* Get a new cursor with after=now, then read all records again\.$/,
    )
  }
  // A second run has nothing to do.
  await trim()
  assert.deepEqual(idsOf(await get(`after=${later}`)), [young])
})

test('a cursor within a large change goes on while what it has read is removed', async () => {
  const { db } = api.context
  const start = await readNow()
  await sql`
    insert into events (kind, records, record_id) select 'tag', 1, n::text from generate_series(1, 25000) n`.execute(
    db,
  )
  await settled()
  const first = await readEventRows(db, start, 12_000)
  assert.equal(first.rows.at(-1)?.record_id, '12000')
  await sql`update events set at = at - interval '31 days' where record_id::int <= 11000`.execute(db)
  await trim()
  const second = await readEventRows(db, first.snapshot, 20_000)
  assert.deepEqual(
    [second.isComplete, second.rows.length, second.rows[0]?.record_id, second.rows.at(-1)?.record_id],
    [true, 13_000, '12001', '25000'],
  )
  assert.deepEqual((await readEventRows(db, second.snapshot, 10)).rows, [])
  const late = await readEventRows(db, start, 10)
  assert.deepEqual([late.isComplete, late.rows[0]?.record_id], [false, '11001'])
})

test('entries are removed from the front, up to the first that must stay', async () => {
  const { db } = api.context
  await sql`delete from events where kind <> ''`.execute(db)
  await sql`insert into events (kind, records, record_id, at) values
    ('tag', 1, 'a', now() - interval '40 days'), ('tag', 1, 'b', now()),
    ('tag', 1, 'c', now() - interval '40 days')`.execute(db)
  await trim()
  const { rows } = await sql<{
    id: string
  }>`select record_id as id from events where kind <> '' order by seq`.execute(db)
  assert.deepEqual(
    rows.map(({ id }) => id),
    ['b', 'c'],
  )
})

test('the stream resumes from a trimmed log if it has all since, and resets otherwise', async () => {
  const before = await readNow()
  await company('Old')
  await settled()
  const between = await readNow()
  await age(31)
  await trim()
  const id = await company('Young')
  const { isComplete, events } = await readEvents(api.context.db, between)
  assert.deepEqual([isComplete, events.map(({ event }) => event.id)], [true, [id]])
  assert.equal((await readEvents(api.context.db, before)).isComplete, false)
})

test('a read of more than 100,000 entries asks for a reset', async () => {
  const { db } = api.context
  const start = await readNow()
  const add = (count: number) =>
    sql`insert into events (kind, records, record_id, action_id)
      select 'company', 1, 'cmp_' || n, 'ax_1' from generate_series(1, ${count}) n`.execute(db)
  await add(100_000)
  const { isComplete, events } = await readEvents(db, start)
  assert.deepEqual([isComplete, events.length, events[0]?.event.count], [true, 1, 100_000])
  await add(1)
  assert.equal((await readEvents(db, start)).isComplete, false)
})

test('after the database was restored on another server, cursors are refused and the log begins again', async () => {
  const { db } = api.context
  await company('Before the restore')
  const { rows } = await sql<{ xid: string }>`
    select (pg_snapshot_xmax(pg_current_snapshot())::text::bigint + 1000)::text as xid`.execute(db)
  const foreign = rows[0]?.xid as string
  const cursor = Buffer.from(`${foreign}:${foreign}:`).toString('base64url')
  await sql`update events set xid = ${foreign}::xid8`.execute(db)
  const now = await readNow()
  assert.equal((await get(`after=${cursor}`)).status, 410)
  assert.deepEqual((await readEvents(db, now)).events, [])
  await trim()
  assert.equal((await get(`after=${cursor}`)).status, 410)
  const id = await company('After the restore')
  assert.deepEqual(idsOf(await get('')), [id])
})

test('while another transaction runs for long, a trimmed log loses nothing and resets no stream', {
  skip: !testServer,
}, async () => {
  const { db } = api.context
  const start = await readNow()
  const running = await db.startTransaction().execute()
  await sql`insert into events (kind, records, record_id) values ('tag', 1, 'late')`.execute(running)
  await company('Old')
  const { next } = (await get('after=now')).body
  for (let batch = 0; batch < 3; batch++) {
    await age(31)
    await trimEvents(api.context.backgroundDb)
  }
  const { snapshot: current } = await readEvents(db, undefined)
  const id = await company('Created during the transaction')
  const { isComplete, events } = await readEvents(db, current)
  assert.deepEqual([isComplete, events.map(({ event }) => event.id)], [true, [id]])
  await running.commit().execute()
  const late = await readEventRows(db, Buffer.from(next, 'base64url').toString(), 10)
  assert.deepEqual([late.isComplete, late.rows.map(({ record_id }) => record_id)], [true, ['late', id]])
  assert.equal((await readEventRows(db, start, 10)).isComplete, true)
})
