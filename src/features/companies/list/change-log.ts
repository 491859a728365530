import { sql } from 'kysely'
import type { Db } from '#src/platform/database/database.ts'

/** The log keeps at least this many changes. After more, a cached list is collected again. */
export const CHANGE_LOG_LENGTH = 5000

/** The database's current snapshot: which transactions the statement sees. */
export const snapshot = sql`pg_current_snapshot()::text`

/** The ids of companies that have changed since a snapshot. An id may be repeated, or may not have changed. */
export const changedSince = (former: string) => sql`
  select id from company_change_log where xid >= pg_snapshot_xmin(${former}::pg_snapshot)
    and not pg_visible_in_snapshot(xid, ${former}::pg_snapshot)`

/** Whether the log still has all changes since a snapshot. */
export const isLogged = (former: string) =>
  sql`(select min(xid) from company_change_log) <= pg_snapshot_xmin(${former}::pg_snapshot)`

/** Transactions of another server, whose database was restored here, would be in the future. */
const isForeign = sql`xid >= pg_snapshot_xmax(pg_current_snapshot())`

/**
 * Removes changes that no cached list needs. A transaction that still runs may add a change behind newer ones, so changes
 * are kept from the oldest such transaction.
 */
export async function trimChangeLog(db: Db): Promise<void> {
  const { numAffectedRows = 0n } = await sql`
    delete from company_change_log where ${isForeign} or xid < (
      select least(xid, pg_snapshot_xmin(pg_current_snapshot())) from company_change_log
      where not ${isForeign} order by xid desc offset ${CHANGE_LOG_LENGTH} limit 1)`.execute(db)
  if (numAffectedRows === 0n) return
  // An empty log could not tell which changes it has.
  await sql`
    insert into company_change_log select pg_current_xact_id(), ''
    where not exists (select from company_change_log)`.execute(db)
  await sql`vacuum company_change_log`.execute(db)
}
