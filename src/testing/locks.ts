import assert from 'node:assert/strict'
import { sql } from 'kysely'
import type { Db } from '#src/platform/database/database.ts'
import { testServer } from './database.ts'
import { eventually } from './eventually.ts'

/**
 * Waits until a statement that matches `pattern` waits for a lock of this transaction. The embedded database has a single
 * connection, for which others wait in the process.
 */
export async function whenBlocked(transaction: Db, pattern: RegExp): Promise<void> {
  if (!testServer) return
  await eventually(async () => {
    // Otherwise a transaction sees the sessions as they were at its first query.
    await sql`select pg_stat_clear_snapshot()`.execute(transaction)
    const { rows } = await sql<{ query: string }>`
      select query from pg_stat_activity where pg_backend_pid() = any(pg_blocking_pids(pid))`.execute(
      transaction,
    )
    const blocked = rows.map(({ query }) => query)
    assert.ok(
      blocked.some((query) => pattern.test(query)),
      `blocked: ${JSON.stringify(blocked)}`,
    )
  })
}
