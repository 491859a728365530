import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { type TestApp, testApp } from '#src/testing/app.ts'
import { freshDatabase, testServer } from '#src/testing/database.ts'

const FAULT = 'The database is read-only, and the index that semantic search needs has not been created.'

/** The service on a database that takes no writes, like a standby. */
async function onReadOnlyDatabase(run: (api: TestApp) => Promise<void>): Promise<void> {
  const database = await freshDatabase()
  const { rows } = await sql<{ name: string }>`select current_database() as name`.execute(database.db)
  // For the connections that the service opens later, and for this one.
  if (testServer)
    await sql`alter database ${sql.id(rows[0]?.name ?? '')} set default_transaction_read_only = on`.execute(
      database.db,
    )
  await sql`set default_transaction_read_only = on`.execute(database.db)
  const api = await testApp({}, { database })
  try {
    await run(api)
  } finally {
    await api.close()
  }
}

test('without an index, a read-only database gives a status with the reason, and a search is a 503', async () => {
  await onReadOnlyDatabase(async (api) => {
    const { status, body } = await api.call('GET', '/api/companies/search/status')
    assert.equal(status, 200, body.details)
    assert.deepEqual(body.data, {
      embeddings: 'builtin-words',
      answering: null,
      fault: FAULT,
      is_semantic: false,
      waiting: 0,
      models: [],
      failures: [],
    })
    const search = await api.call('GET', '/api/companies/search/semantic?q=robots')
    assert.deepEqual([search.status, search.body.details], [503, FAULT])
    const readiness = await api.call('GET', '/api/bulk-actions/readiness')
    assert.equal(readiness.status, 200, readiness.body.details)
    assert.equal(readiness.body.data.generate_embeddings.waiting_for, FAULT)
  })
})
