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
  /** Inserts an entry of a transaction that stands for no change. */
  marker: (xid: RawBuilder<unknown>) => RawBuilder<unknown>
}

/** The database's current snapshot: which transactions the statement sees. */
export const snapshot = sql`pg_current_snapshot()::text`

/** Whether an entry was committed after a snapshot. */
export const isSince = (previous: string) => sql`(xid >= pg_snapshot_xmin(${previous}::pg_snapshot)
  and not pg_visible_in_snapshot(xid, ${previous}::pg_snapshot))`

/**
 * Whether the log still has all entries since a snapshot. A snapshot from the future is one of another server, whose
 * database was restored here.
 */
export const isLogged = ({ table }: TransactionLog, previous: string) =>
  sql`((select min(xid) from ${sql.table(table)}) <= pg_snapshot_xmin(${previous}::pg_snapshot)
    and pg_snapshot_xmax(${previous}::pg_snapshot) <= pg_snapshot_xmax(pg_current_snapshot()))`

/** Transactions of another server, whose database was restored here, would be in the future. */
const isForeign = sql`xid >= pg_snapshot_xmax(pg_current_snapshot())`

/**
 * Removes entries beyond the length of the log. A transaction that still runs may add an entry behind newer ones, so
 * entries are kept from the oldest such transaction, in whatever database of the server it runs. A marker in its place says
 * from where on the log is whole.
 */
export async function trimLog(db: Db, { table: name, length, marker }: TransactionLog): Promise<void> {
  const table = sql.table(name)
  const start = sql`coalesce((select xid from oldest), pg_current_xact_id())`
  const { numAffectedRows = 0n } = await sql`
    with oldest as materialized (
        select least(xid, pg_snapshot_xmin(pg_current_snapshot())) as xid from ${table}
        where not ${isForeign} order by xid desc offset ${length} limit 1),
      removed as (delete from ${table} where ${isForeign} or xid < (select xid from oldest) returning xid)
    ${marker(start)} where exists (select from removed)`.execute(db)
  if (numAffectedRows > 0n) await sql`vacuum ${table}`.execute(db)
}
