import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql } from 'kysely'
import type { Logger } from 'pino'
import { type TestApp, testApp } from '#src/testing/app.ts'
import { testServer } from '#src/testing/database.ts'
import { notify } from './consume.ts'
import { ADA, about, BEN, EVA, type Fields, peopleOf } from './notifications.fixture.ts'
import { tell } from './write.ts'

let api: TestApp
const { addUsers, catchUp, company, create, told } = peopleOf(() => api)
before(async () => {
  api = await testApp({ WORKER: 'off' })
  await addUsers()
})
after(() => api.close())

const logged: Fields[] = []
const log = { error: (entry: Fields) => logged.push(entry) } as unknown as Logger
const consume = (tellBatch?: typeof tell) =>
  notify(api.context.backgroundDb, log, new AbortController().signal, tellBatch)

const readPosition = async (): Promise<string | undefined> =>
  (
    await sql<{
      position: string
    }>`select position from event_consumers where name = 'notifications'`.execute(api.context.db)
  ).rows[0]?.position

/** As many notes as a test needs, each in a transaction of its own. */
async function mention(email: string, count: number): Promise<void> {
  const id = await company('Loomworks')
  for (let n = 0; n < count; n++)
    await create('/api/notes', { body: `Note ${n}`, about: about(id), mentions: [email] })
}

test('a crash between two batches loses and repeats nothing', async () => {
  await mention(BEN, 3)
  const before = await readPosition()
  const crash = new Error('Connection terminated unexpectedly')
  await assert.rejects(
    consume(async (transaction, seqs) => {
      await tell(transaction, seqs)
      throw crash
    }),
    crash,
  )
  assert.equal(await readPosition(), before)
  const { rows } = await sql`select from notifications where user_email = ${BEN}`.execute(api.context.db)
  assert.equal(rows.length, 0)
  await consume()
  assert.equal((await told(BEN)).length, 3)
  await consume()
  assert.equal((await told(BEN)).length, 0)
})

test('an event that cannot be told is logged, and stops no other', async () => {
  const ids: string[] = []
  const id = await company('Volta')
  for (let n = 0; n < 5; n++)
    ids.push((await create('/api/notes', { body: `Note ${n}`, about: about(id), mentions: [BEN] })).id)
  const { rows } = await sql<{
    seq: string
  }>`select seq::text from events where record_id = ${ids[2]}`.execute(api.context.db)
  const bad = rows[0]?.seq as string
  const sizes: number[] = []
  await consume(async (transaction, seqs) => {
    sizes.push(seqs.length)
    if (seqs.includes(bad)) throw new Error('cannot be told')
    await tell(transaction, seqs)
  })
  assert.deepEqual(
    logged.map(({ event }) => event),
    [bad],
  )
  assert.equal((await told(BEN)).length, 4)
  assert.equal((await readPosition())?.includes('~'), false)
})

test('batches of events that were read up to the same moment continue where the last one ended', async () => {
  await mention(BEN, 4)
  const seen: string[] = []
  let isFirst = true
  await consume(async (transaction, seqs) => {
    if (isFirst) {
      isFirst = false
      throw new Error('too many at once')
    }
    seen.push(...seqs)
    await tell(transaction, seqs)
  })
  assert.equal(seen.length, new Set(seen).size)
  assert.equal((await told(BEN)).length, 4)
})

test('nothing is written or locked while nothing has happened', async () => {
  await catchUp()
  await catchUp()
  const row = async () =>
    (
      await sql`select xmin::text, xmax::text from event_consumers where name = 'notifications'`.execute(
        api.context.db,
      )
    ).rows
  const before = await row()
  await catchUp()
  assert.deepEqual(await row(), before)
})

test('a database that was restored on another server starts with what happens next', async () => {
  await sql`update event_consumers set position = '900000000:900000000:' where name = 'notifications'`.execute(
    api.context.db,
  )
  await mention(BEN, 1)
  await consume()
  assert.deepEqual(await told(BEN), [])
  await mention(BEN, 1)
  assert.equal((await told(BEN)).length, 1)
})

test('two processes tell each event once', { skip: !testServer }, async () => {
  let isWriting = true
  const writing = mention(EVA, 40).finally(() => {
    isWriting = false
  })
  const work = async () => {
    while (isWriting) await consume()
  }
  await Promise.all([writing, work(), work(), work()])
  await catchUp()
  const { rows } = await sql<{ n: number; notes: number; total: number }>`
    select count(*)::int as n, count(distinct subject_id)::int as notes, sum(count)::int as total from notifications
    where user_email = ${EVA} and actor_email = ${ADA}`.execute(api.context.db)
  assert.deepEqual(rows, [{ n: 40, notes: 40, total: 40 }])
})

test('an event of a transaction that commits late is not skipped', { skip: !testServer }, async () => {
  const id = await company('Late')
  await catchUp()
  let release = () => {}
  const released = new Promise<void>((resolve) => {
    release = resolve
  })
  let begin = () => {}
  const begun = new Promise<void>((resolve) => {
    begin = resolve
  })
  const late = api.context.longDb.transaction().execute(async (transaction) => {
    await sql`select pg_current_xact_id()`.execute(transaction)
    begin()
    await released
    await sql`update companies set updated_at = updated_at where id = ${id}`.execute(transaction)
    await sql`
      insert into notes (id, kind, body, happened_at, mentions, author_email, created_at, updated_at)
      values ('note_late', 'note', 'x', now(), array[${EVA}], ${ADA}, now(), now())`.execute(transaction)
    await sql`
      insert into activity (id, activity_type, entity_type, entity_id, user_email, "timestamp", metadata, action_id, via)
      values ('act_late', 'note_created', 'note', 'note_late', ${ADA}, now(), '{}', 'ax_late', 'request')`.execute(
      transaction,
    )
  })
  await begun
  await told(EVA)
  await mention(EVA, 1)
  assert.equal((await told(EVA)).length, 1)
  release()
  await late
  assert.deepEqual(await told(EVA), ['Ada mentioned you in a note'])
})
