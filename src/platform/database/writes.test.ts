import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql } from 'kysely'
import { freshDatabase, testServer } from '#src/testing/database.ts'
import type { Database } from './database.ts'
import { DatabaseWrites } from './writes.ts'

let database: Database
before(async () => {
  database = await freshDatabase()
  await sql`create table written (n int)`.execute(database.db)
})
after(() => database.close())

const write = (n: number) => sql`insert into written values (${n})`.execute(database.db)

test('work is skipped until something is written', async () => {
  const writes = new DatabaseWrites(database.probe)
  let runs = 0
  const work = writes.skipUntilWritten(async () => {
    runs += 1
  })
  const runTwice = async () => {
    runs = 0
    await work()
    await work()
    return runs
  }
  assert.equal(await runTwice(), 2, 'nothing is known before the first look')
  await writes.refresh()
  assert.equal(await runTwice(), 1)
  await writes.refresh()
  // The PostgreSQL of the tests has other users, whose transactions count as well.
  if (!testServer) assert.equal(await runTwice(), 0)
  await write(1)
  await writes.refresh()
  assert.equal(await runTwice(), 1)
})

test('work runs after the commit of a transaction that was open when it ran before', {
  skip: !testServer && 'the embedded database has one connection',
}, async () => {
  const writes = new DatabaseWrites(database.probe)
  let seen: unknown[] = []
  const work = writes.skipUntilWritten(async () => {
    seen = (await sql`select from written where n = 2`.execute(database.probe)).rows
  })
  await database.db.transaction().execute(async (transaction) => {
    await sql`insert into written values (2)`.execute(transaction)
    await writes.refresh()
    await work()
  })
  await writes.refresh()
  await work()
  assert.equal(seen.length, 1)
})

test('work that fails, or has something left to do, is not skipped', async () => {
  const writes = new DatabaseWrites(database.probe)
  await writes.refresh()
  let runs = 0
  const fail = writes.skipUntilWritten(async () => {
    runs += 1
    throw new Error('It failed.')
  })
  for (let n = 0; n < 2; n++) await assert.rejects(fail())
  assert.equal(runs, 2)
  const count = writes.skipUntilWritten(
    async () => ++runs,
    (result) => result === 4,
  )
  assert.deepEqual([await count(), await count(), await count()], [3, 4, undefined])
})
