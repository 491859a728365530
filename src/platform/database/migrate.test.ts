import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type KyselyPlugin, sql } from 'kysely'
import { migrations } from '#src/migrations/migrations.ts'
import { freshDatabase, testServer } from '#src/testing/database.ts'
import type { Database } from './database.ts'
import { migrate } from './migrate.ts'
import { endIfTooNew, type SchemaRefusal, SchemaTooNew } from './newer-schema.ts'

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
