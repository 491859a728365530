import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { KyselyPlugin } from 'kysely'
import { migrations } from '#src/migrations/migrations.ts'
import { freshDatabase, testServer } from '#src/testing/database.ts'
import { migrate } from './migrate.ts'

test('an embedded database that is up to date is only asked for its migrations', {
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
    assert.equal(statements, 2)
  } finally {
    await close()
  }
})
