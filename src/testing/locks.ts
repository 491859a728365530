import assert from 'node:assert/strict'
import { sql } from 'kysely'
import type { Db } from '#src/platform/database/database.ts'
import { testServer } from './database.ts'
import { eventually } from './eventually.ts'

/**
 * Waits until another session of this database waits for a lock. The embedded database has a single connection, for
 * which others wait in the process.
 */
export async function whenOneWaits(db: Db): Promise<void> {
  if (!testServer) return
  await eventually(async () => {
    const { rows } = await sql<{ n: number }>`
      select count(*)::int as n from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'`.execute(db)
    assert.notEqual(rows[0]?.n, 0, 'no session waits for a lock')
  })
}
