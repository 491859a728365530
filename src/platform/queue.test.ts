import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql } from 'kysely'
import { pino } from 'pino'
import { DATABASE_TIMEOUTS } from '#src/platform/config/database.ts'
import type { Database } from '#src/platform/database/database.ts'
import { freshDatabase, testServer } from '#src/testing/database.ts'
import { eventually } from '#src/testing/eventually.ts'
import { openQueues, QUEUE_SCHEMA, type Queue, type Queues } from './queue.ts'

interface Work {
  n: number
}

let database: Database
let queues: Queues
let queue: Queue<Work>
before(async () => {
  database = await freshDatabase()
  queues = openQueues(database.source, pino({ level: 'silent' }))
  queue = queues.queue('test')
  await queue.start()
})
after(async () => {
  await queues.stop()
  await database.close()
})

const send = (...jobs: { data: Work; priority: number }[]) =>
  database.db.transaction().execute((transaction) => queue.send(transaction, jobs))

test('jobs become visible when the transaction commits', async () => {
  await assert.rejects(
    database.db.transaction().execute(async (transaction) => {
      await queue.send(transaction, [{ data: { n: 0 }, priority: 50 }])
      throw new Error('never mind')
    }),
    /never mind/,
  )
  assert.equal(await queue.fetch(), undefined)
  for (let n = 0; n < 200; n++) await send({ data: { n }, priority: 50 })
  const seen = new Set<number>()
  for (let job = await queue.fetch(); job; job = await queue.fetch()) {
    seen.add(job.data.n)
    await queue.complete(job)
  }
  assert.equal(seen.size, 200)
})

test('the first start of a queue creates its tables', async () => {
  const fresh = await freshDatabase()
  const opened = openQueues(fresh.source, pino({ level: 'silent' }))
  try {
    await sql`drop schema ${sql.id(QUEUE_SCHEMA)} cascade`.execute(fresh.db)
    const first = opened.queue<Work>('test')
    await first.start()
    await fresh.db
      .transaction()
      .execute((transaction) => first.send(transaction, [{ data: { n: 1 }, priority: 50 }]))
    assert.deepEqual((await first.fetch())?.data, { n: 1 })
  } finally {
    await opened.stop()
    await fresh.close()
  }
})

test('a queue does not wait forever for a table that is locked', {
  skip: !testServer && 'PostgreSQL only',
}, async () => {
  const timeouts = { ...DATABASE_TIMEOUTS, longStatement: 1 }
  const impatient = openQueues(database.source, pino({ level: 'silent' }), { timeouts })
  const locked = impatient.queue<Work>('test')
  await locked.start()
  await database.db.transaction().execute(async (transaction) => {
    await sql`lock table ${sql.table(`${QUEUE_SCHEMA}.job`)} in access exclusive mode`.execute(transaction)
    await assert.rejects(locked.fetch(), /timeout/)
  })
  assert.equal(await locked.fetch(), undefined)
  await impatient.stop()
})

test('a job is not fetched before its start time', async () => {
  await database.db
    .transaction()
    .execute((transaction) => queue.send(transaction, [{ data: { n: -1 }, priority: 99, startAfter: 3600 }]))
  assert.equal(await queue.fetch(), undefined)
})

test('the highest priority comes first, then the oldest', async () => {
  await send({ data: { n: 1 }, priority: 10 }, { data: { n: 2 }, priority: 50 })
  await send({ data: { n: 3 }, priority: 95 }, { data: { n: 4 }, priority: 50 })
  const order: number[] = []
  for (let job = await queue.fetch(); job; job = await queue.fetch()) {
    order.push(job.data.n)
    await queue.complete(job)
  }
  assert.deepEqual(order, [3, 2, 4, 1])
})

test('a failed job is retried after a delay', async () => {
  await send({ data: { n: 5 }, priority: 50 })
  const first = await queue.fetch()
  assert.equal(first?.failures, 0)
  const { rows: before } = await sql<{ now: Date }>`select now()`.execute(database.db)
  await queue.fail(first, 'the model is down')
  const { rows: failed } = await sql<{ isDelayed: boolean }>`
    select start_after >= ${before[0]?.now}::timestamptz + interval '1 second' as "isDelayed"
    from ${sql.table(`${QUEUE_SCHEMA}.job`)} where id = ${first.id}`.execute(database.db)
  assert.deepEqual(failed, [{ isDelayed: true }])
  const again = await eventually(async () => {
    const job = await queue.fetch()
    assert.ok(job, 'no job was fetched')
    return job
  })
  assert.deepEqual([again.id, again.data, again.failures], [first.id, { n: 5 }, 1])
  await queue.complete(again)
})
