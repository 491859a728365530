import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { type ControlledTransaction, sql } from 'kysely'
import { newAction } from '#src/features/activity/action.ts'
import { insertActivity } from '#src/features/activity/store.ts'
import type { Db, Tables } from '#src/platform/database/database.ts'
import { snapshot } from '#src/platform/database/snapshot.ts'
import { type TestApp, testApp } from '#src/testing/app.ts'
import { testServer } from '#src/testing/database.ts'
import { loggedRandom } from '#src/testing/random.ts'
import { readEventRows } from './rows.ts'

let api: TestApp
before(async () => {
  api = await testApp({ WORKER: 'off' }, {})
})
after(() => api.close())

async function readNow(): Promise<string> {
  const { rows } = await sql<{ position: string }>`select ${snapshot} as position`.execute(api.context.db)
  return rows[0]?.position as string
}

/** Writes a change of a record, with its number. */
const change = (db: Db, record: string, number: number) =>
  insertActivity(
    null,
    [
      {
        activity_type: 'company_updated',
        entity_type: 'company',
        entity_id: record,
        changes: { number: { from: null, to: number } },
      },
    ],
    newAction('update', null),
  ).execute(db)

const MAX_OPEN = 5
const STEPS = 400
const RECORDS = ['cmp_a', 'cmp_b', 'cmp_c', 'cmp_d', 'cmp_e', 'cmp_f']

interface Writer {
  transaction: ControlledTransaction<Tables>
  written: { record: string; number: number }[]
}

test('transactions that end in any order are read once each, and the changes of a record in their order', {
  skip: !testServer,
}, async (t) => {
  const random = loggedRandom(t)
  const { db } = api.context
  const start = await readNow()
  let next = Buffer.from(start).toString('base64url')
  let position = start
  const polled: [string, unknown][] = []
  const consumed: string[] = []
  const committed: { record: string; number: number }[] = []
  const open: Writer[] = []
  let number = 0

  const poll = async () => {
    const limit = 1 + Math.floor(random() * 4)
    const { status, body } = await api.call('GET', `/api/events/log?limit=${limit}&after=${next}`)
    assert.equal(status, 200, JSON.stringify(body))
    for (const { data } of body.data) polled.push([data.id, data.changes.number.to])
    next = body.next
    const read = await readEventRows(db, position, limit)
    assert.ok(read.isComplete)
    for (const { activity_id } of read.rows) consumed.push(activity_id as string)
    position = read.snapshot
    return body.data.length + read.rows.length
  }
  const begin = async () => {
    const transaction = await db.startTransaction().execute()
    // Half of the transactions get their number long before they write.
    if (random() < 0.5) await sql`select pg_current_xact_id()`.execute(transaction)
    open.push({ transaction, written: [] })
  }
  const write = async ({ transaction, written }: Writer) => {
    // As with the locks of records, no two open transactions change the same one.
    const held = open.filter((one) => one.written !== written).flatMap((one) => one.written)
    const free = RECORDS.filter((record) => !held.some((one) => one.record === record))
    if (free.length === 0) return
    const record = random(free)
    await change(transaction, record, ++number)
    written.push({ record, number })
  }
  const end = async (writer: Writer) => {
    open.splice(open.indexOf(writer), 1)
    if (random() < 0.2) return writer.transaction.rollback().execute()
    await writer.transaction.commit().execute()
    committed.push(...writer.written)
  }

  for (let step = 0; step < STEPS; step++) {
    const choice = random()
    if (choice < 0.2 && open.length < MAX_OPEN) await begin()
    else if (choice < 0.6 && open.length > 0) await write(random(open))
    else if (choice < 0.75 && open.length > 0) await end(random(open))
    else await poll()
  }
  for (const writer of [...open]) await end(writer)
  while ((await poll()) > 0);

  assert.ok(committed.length > 50, `${committed.length} changes`)
  const numbers = polled.map(([, number]) => Number(number))
  assert.deepEqual(
    [...numbers].sort((one, other) => one - other),
    committed.map(({ number }) => number).sort((one, other) => one - other),
  )
  for (const record of RECORDS) {
    const own = polled.filter(([id]) => id === record).map(([, number]) => Number(number))
    assert.deepEqual(
      own,
      [...own].sort((one, other) => one - other),
      record,
    )
  }
  assert.equal(consumed.length, committed.length)
  assert.equal(new Set(consumed).size, committed.length)
})

test('a page that is read while an earlier change is not committed yet leaves it to a later one', {
  skip: !testServer,
}, async () => {
  const { db } = api.context
  const read = async (after: string) => {
    const { body } = await api.call('GET', `/api/events/log?limit=2&after=${after}`)
    return { ids: body.data.map(({ data }: { data: { id: string } }) => data.id), next: body.next }
  }
  const { next } = (await api.call('GET', '/api/events/log?after=now')).body
  const late = await db.startTransaction().execute()
  await change(late, 'cmp_late', 1)
  for (const id of ['cmp_1', 'cmp_2', 'cmp_3']) await change(db, id, 1)
  const first = await read(next)
  await late.commit().execute()
  await change(db, 'cmp_4', 1)
  const second = await read(first.next)
  const third = await read(second.next)
  assert.deepEqual([first.ids, second.ids, third.ids], [['cmp_1', 'cmp_2'], ['cmp_3', 'cmp_late'], ['cmp_4']])
})

test('two consumers that take turns read each change once', { skip: !testServer }, async () => {
  const { db } = api.context
  await sql`create table consumer (position text not null)`.execute(db)
  await sql`insert into consumer values (${await readNow()})`.execute(db)
  const seen: number[] = []
  let isWriting = true
  /** @returns whether there may be more to read */
  const consumeSome = () =>
    db.transaction().execute(async (transaction) => {
      const { rows } = await sql<{ position: string }>`
        select position from consumer for update skip locked`.execute(transaction)
      if (!rows[0]) return true
      const read = await readEventRows(transaction, rows[0].position, 3)
      seen.push(...read.rows.map(({ seq }) => seq))
      await sql`update consumer set position = ${read.snapshot}`.execute(transaction)
      return read.rows.length > 0
    })
  const consume = async () => {
    while ((await consumeSome()) || isWriting) await sleep(2)
  }
  const write = async () => {
    for (let n = 0; n < 60; n++)
      await db.transaction().execute(async (transaction) => {
        await change(transaction, `cmp_${n}`, n)
        await sleep(n % 7)
      })
  }
  const consumers = [consume(), consume()]
  await Promise.all([write(), write()])
  isWriting = false
  await Promise.all(consumers)
  assert.equal(seen.length, 120)
  assert.equal(new Set(seen).size, 120)
})
