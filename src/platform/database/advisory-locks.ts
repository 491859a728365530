import { sql } from 'kysely'
import type { Db } from './database.ts'
import { hasSingleConnection } from './pinned-connection.ts'
import { allowIdleness } from './session.ts'

/** Work that only one process may do at a time, with the key of its advisory lock. */
const LOCKS = {
  'fold counters': 7_207_101,
  import: 7_207_102,
  'search indexes': 7_207_103,
  'build vector index': 7_207_105,
  'find duplicates': 7_207_106,
  'field indexes': 7_207_107,
  'field values': 7_207_108,
  'store files': 7_207_109,
} as const

export type Lock = keyof typeof LOCKS

/** Waits for the lock and holds it until the transaction ends. */
export async function takeLock(transaction: Db, lock: Lock): Promise<void> {
  await sql`select pg_advisory_xact_lock(${LOCKS[lock]})`.execute(transaction)
}

/** Takes the lock until the transaction ends. Returns false if another session holds it. */
export async function tryLock(transaction: Db, lock: Lock): Promise<boolean> {
  const { rows } = await sql<{ taken: boolean }>`
    select pg_try_advisory_xact_lock(${LOCKS[lock]}) as taken`.execute(transaction)
  return rows[0]?.taken ?? false
}

/**
 * Runs work that cannot run in a transaction while another connection holds the lock in one. Skips it if another process
 * holds the lock. A lock of the session would stay on a pooler's connection.
 */
export async function withLockIfFree(
  db: Db,
  lock: Lock,
  work: (connection: Db) => Promise<void>,
): Promise<void> {
  // Only one process can open the embedded database.
  if (hasSingleConnection(db)) return db.connection().execute(work)
  await db.transaction().execute(async (transaction) => {
    if (!(await tryLock(transaction, lock))) return
    // The last statement must be one without a snapshot, for which `create index concurrently` would wait.
    await allowIdleness(transaction)
    await db.connection().execute(work)
  })
}
