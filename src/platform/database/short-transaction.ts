import { sql } from 'kysely'
import type { Db } from './database.ts'

/** Waiting for one locked record blocks everyone who needs those that are already locked. */
const LOCK_TIMEOUT = '5s'

/** The rest of the transaction waits only briefly for locked records. */
export const limitLockTime = (transaction: Db) =>
  sql`set local lock_timeout = ${sql.lit(LOCK_TIMEOUT)}`.execute(transaction)

/** Runs work in a transaction that waits only briefly for locked records. */
export const inShortTransaction = <T>(db: Db, work: (transaction: Db) => Promise<T>): Promise<T> =>
  db.transaction().execute(async (transaction) => {
    await limitLockTime(transaction)
    return work(transaction)
  })
