import { sql } from 'kysely'
import type { Db } from './database.ts'

/** Work that only one process may do at a time, with the key of its advisory lock. */
const LOCKS = {
  'fold counters': 7_207_101,
  import: 7_207_102,
  'search indexes': 7_207_103,
  'build vector index': 7_207_105,
  'find duplicates': 7_207_106,
  'field indexes': 7_207_107,
  'field values': 7_207_108,
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

/** Runs work that cannot run in a transaction, under a session lock. Skips it if another session holds the lock. */
export async function withLockIfFree(connection: Db, lock: Lock, work: () => Promise<void>): Promise<void> {
  const { rows } = await sql<{ taken: boolean }>`
    select pg_try_advisory_lock(${LOCKS[lock]}) as taken`.execute(connection)
  if (!rows[0]?.taken) return
  try {
    await work()
  } finally {
    await sql`select pg_advisory_unlock(${LOCKS[lock]})`.execute(connection)
  }
}
