import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Kysely, type KyselyPlugin, sql } from 'kysely'
import { migrations } from '#src/migrations/migrations.ts'
import { freshDatabase, testServer } from '#src/testing/database.ts'
import { eventually } from '#src/testing/eventually.ts'
import { slow } from '#src/testing/slow.ts'
import type { Database } from './database.ts'
import { MigrationFailed, migrate } from './migrate.ts'
import { pendingMigrations } from './migrations.ts'
import { endIfTooNew, newerMigrations, type SchemaRefusal, SchemaTooNew } from './newer-schema.ts'

test('an embedded database that is up to date is only asked for its migrations and the oldest one that is required', {
  skip: testServer && 'embedded only',
}, async () => {
  const { db, close } = await freshDatabase()
  let statements = 0
  const count: KyselyPlugin = {
    transformQuery: ({ node }) => {
      statements += 1
      return node
    },
    transformResult: async ({ result }) => result,
  }
  try {
    await migrate(db.withPlugin(count), migrations)
    assert.equal(statements, 4)
  } finally {
    await close()
  }
})

/** A database that a newer version has upgraded. */
async function upgraded(oldest: string | undefined): Promise<Database> {
  const database = await freshDatabase()
  const { db } = database
  await sql`insert into kysely_migration (name, timestamp) values ('9999_newer', '2030-01-01T00:00:00Z')`.execute(
    db,
  )
  if (oldest) await sql`update schema_requirements set oldest_migration = ${oldest}`.execute(db)
  return database
}

test('a database upgraded by a newer version stays as it is and is used, unless that version rules it out', async () => {
  for (const [oldest, isUsable] of [
    [undefined, true],
    ['9999_newer', false],
  ] as const) {
    const { db, close } = await upgraded(oldest)
    const fatal: string[] = []
    let ends = 0
    const check = () =>
      endIfTooNew(
        db,
        migrations,
        { fatal: (text: string) => void fatal.push(text) } as never,
        refusal,
        () => {
          ends += 1
        },
      )
    const refusal: SchemaRefusal = { reason: undefined }
    try {
      if (isUsable) await migrate(db, migrations)
      else await assert.rejects(migrate(db, migrations), SchemaTooNew)
      await check()
      await check()
      assert.equal(refusal.reason, fatal[0])
      assert.equal(ends, isUsable ? 0 : 1)
      assert.match(
        fatal.join(),
        isUsable ? /^$/ : /^The database has the migration 9999_newer, which version /,
      )
      const { rows } = await sql<{ name: string }>`select name from kysely_migration`.execute(db)
      assert.equal(rows.length, Object.keys(migrations).length + 1)
    } finally {
      await close()
    }
  }
})

test('each migration is a transaction of its own, and a failing one names itself', async () => {
  const { db, close } = await freshDatabase()
  const steps = {
    ...migrations,
    '9997_first': {
      up: (on: Kysely<unknown>) => sql`create table first (id int)`.execute(on).then(() => {}),
    },
    '9998_second': {
      up: async (on: Kysely<unknown>) => {
        await sql`create table second (id int)`.execute(on)
        await sql`select * from nowhere`.execute(on)
      },
    },
    '9999_third': { up: () => assert.fail('It ran.') },
  }
  try {
    await assert.rejects(migrate(db, steps), (error: Error) => {
      assert.ok(error instanceof MigrationFailed)
      assert.match(
        error.message,
        /^The migration 9998_second failed and was rolled back: relation "nowhere" does not exist\. /,
      )
      return true
    })
    assert.deepEqual(await pendingMigrations(db, steps), ['9998_second', '9999_third'])
    const { rows } =
      await sql`select to_regclass('first')::text as first, to_regclass('second') as second`.execute(db)
    assert.deepEqual(rows, [{ first: 'first', second: null }])
    const fixed = { ...steps, '9998_second': { up: async () => {} }, '9999_third': { up: async () => {} } }
    await Promise.all([migrate(db, fixed), migrate(db, fixed)])
    assert.deepEqual(await pendingMigrations(db, fixed), [])
    await assert.rejects(
      migrate(db, { ...fixed, '9996_late': { up: () => assert.fail('It ran.') } }),
      /^Error: The database has the migration 9999_third, but not 9996_late, which comes before it\./,
    )
  } finally {
    await close()
  }
})

test('processes of earlier versions are told to end before a migration that they cannot work with', {
  skip: slow || (!testServer && 'PostgreSQL only'),
}, async () => {
  const { db, close } = await freshDatabase()
  let work = async (): Promise<void> => assert.fail('The table is locked.')
  const newer = { ...migrations, '9999_ending': { up: () => work(), endsEarlierVersions: true } }
  const waits: string[] = []
  /** Migrates, and returns what a process of this version is told while it runs. */
  const migrateBeside = async () => {
    const running = migrate(db, newer, { waiting: (reason) => waits.push(reason) }).then(
      () => undefined,
      (error) => error,
    )
    const told = await eventually(() =>
      newerMigrations(db, migrations).then(
        () => assert.fail('It is not told.'),
        (error) => error.message,
      ),
    )
    assert.match(told, /^The database is about to get the migration 9999_ending, which version /)
    assert.deepEqual(await pendingMigrations(db, newer), ['9999_ending'])
    return running
  }
  try {
    assert.match((await migrateBeside()).message, /^The migration 9999_ending failed/)
    assert.deepEqual(await newerMigrations(db, migrations), [], 'processes of this version may start again')
    work = async () => {}
    assert.equal(await migrateBeside(), undefined)
    await assert.rejects(
      newerMigrations(db, migrations),
      /^Error: The database has the migration 9999_ending/,
    )
    assert.deepEqual(waits, Array(2).fill('Waiting 15 s until the processes of earlier versions have ended.'))
  } finally {
    await close()
  }
})

test('a new database is empty or complete', async () => {
  const { db, close } = await freshDatabase()
  const steps = {
    '0001_first': {
      up: (on: Kysely<unknown>) => sql`create table first (id int)`.execute(on).then(() => {}),
    },
    '0002_second': { up: () => assert.fail('A wrong statement') },
  }
  try {
    await sql`drop table kysely_migration, schema_requirements`.execute(db)
    await assert.rejects(migrate(db, steps), /^Error: The migration 0002_second failed/)
    assert.deepEqual(await pendingMigrations(db, steps), ['0001_first', '0002_second'])
    const { rows } = await sql`select to_regclass('first') as first`.execute(db)
    assert.deepEqual(rows, [{ first: null }])
  } finally {
    await close()
  }
})
