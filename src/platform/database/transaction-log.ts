import { type RawBuilder, sql } from 'kysely'
import type { Db } from './database.ts'

/**
 * A table that triggers write: `xid` is the transaction of each entry, so that a reader with a snapshot of the database
 * finds exactly the entries that have been committed since, in whatever order the transactions began and ended.
 */
export interface TransactionLog {
  table: string
  /** The log keeps at least this many entries. */
  length: number
  /** Inserts an entry that stands for no change. */
  marker: RawBuilder<unknown>
}

/** The database's current snapshot: which transactions the statement sees. */
export const snapshot = sql`pg_current_snapshot()::text`

/** Whether an entry was committed after a snapshot. */
export const isSince = (former: string) => sql`(xid >= pg_snapshot_xmin(${former}::pg_snapshot)
  and not pg_visible_in_snapshot(xid, ${former}::pg_snapshot))`

/**
 * Whether the log still has all entries since a snapshot. A snapshot from the future is one of another server, whose
 * database was restored here.
 */
export const isLogged = ({ table }: TransactionLog, former: string) =>
  sql`((select min(xid) from ${sql.table(table)}) <= pg_snapshot_xmin(${former}::pg_snapshot)
    and pg_snapshot_xmax(${former}::pg_snapshot) <= pg_snapshot_xmax(pg_current_snapshot()))`

/** Transactions of another server, whose database was restored here, would be in the future. */
const isForeign = sql`xid >= pg_snapshot_xmax(pg_current_snapshot())`

/**
 * Removes entries beyond the length of the log. A transaction that still runs may add an entry behind newer ones, so
 * entries are kept from the oldest such transaction.
 */
export async function trimLog(db: Db, { table: name, length, marker }: TransactionLog): Promise<void> {
  const table = sql.table(name)
  const { numAffectedRows = 0n } = await sql`
    delete from ${table} where ${isForeign} or xid < (
      select least(xid, pg_snapshot_xmin(pg_current_snapshot())) from ${table}
      where not ${isForeign} order by xid desc offset ${length} limit 1)`.execute(db)
  if (numAffectedRows === 0n) return
  // An empty log could not tell which changes it has.
  await sql`${marker} where not exists (select from ${table})`.execute(db)
  await sql`vacuum ${table}`.execute(db)
}
