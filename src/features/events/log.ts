import { type RawBuilder, sql } from 'kysely'
import type { Db } from '#src/platform/database/database.ts'
import { EVENT_KINDS, type EventKind } from './schema.ts'

/** How long the log keeps its entries. */
export const EVENT_LOG_DAYS = 30

/**
 * Whether an entry of these kinds was committed after a snapshot, in whatever order the transactions began and ended. The
 * index needs the kinds. Transactions in the future are those of another server, whose database was restored here.
 */
export const isSince = (previous: string, kinds: readonly EventKind[] = EVENT_KINDS) =>
  sql`(kind = any(${[...kinds]}) and xid >= pg_snapshot_xmin(${previous}::pg_snapshot)
    and not pg_visible_in_snapshot(xid, ${previous}::pg_snapshot)
    and pg_visible_in_snapshot(xid, pg_current_snapshot()))`

/** In the place of the last entry that was removed. It has the latest transaction of removed entries. */
export const isMarker = sql`kind = ''`

/** Whether the log still has all entries since a snapshot. */
export const isLogged = (previous: string) =>
  sql`((select max(xid) from events where ${isMarker}) < pg_snapshot_xmin(${previous}::pg_snapshot)
    and ${isOfThisServer(previous)})`

/** A snapshot from the future is one of another server. */
export const isOfThisServer = (snapshot: string) =>
  sql`(pg_snapshot_xmax(${snapshot}::pg_snapshot) <= pg_snapshot_xmax(pg_current_snapshot()))`

/**
 * Whether records of these kinds may have changed since a snapshot: the log does not go back forever.
 * @param id only this record
 */
export const mayHaveChanged = (kinds: readonly EventKind[], previous: string, id?: RawBuilder<unknown>) => {
  const changes = sql`events where ${isSince(previous, kinds)}`
  const isChanged = id
    ? sql`exists (select from ${changes} and record_id is null)
        or ${id} in (select record_id from ${changes} and record_id is not null)`
    : sql`exists (select from ${changes})`
  return sql`(not ${isLogged(previous)} or ${isChanged})`
}

const REMOVAL_BATCH = 10_000
const marker = (xid: RawBuilder<unknown>) => sql`
  insert into events (seq, xid, kind, records) overriding system value
  select max(seq), ${xid}, '', 0 from removed having count(*) > 0`

/** Removes entries that are older than 30 days, and those of another server, whose database was restored here. */
export async function trimEvents(db: Db): Promise<void> {
  const isForeign = sql`(kind = any(${[...EVENT_KINDS]}) and xid >= pg_snapshot_xmax(pg_current_snapshot()))`
  const restart = await sql`
    with removed as (delete from events where exists (select from events where ${isForeign}) returning seq)
    ${marker(sql`pg_current_xact_id()`)}`.execute(db)
  let removed = restart.numAffectedRows ?? 0n
  for (let batch = 1n; batch > 0n; removed += batch) batch = await removeOldest(db)
  if (removed > 0n) await sql`vacuum events`.execute(db)
}

/**
 * Removes the oldest entries. A transaction that still runs may add an entry behind newer ones, so entries are kept from the
 * oldest such transaction, in whatever database of the server it runs.
 * @returns whether it has removed some
 */
async function removeOldest(db: Db): Promise<bigint> {
  const { numAffectedRows = 0n } = await sql`
    with first as materialized (
        select seq, kind, kind = '' or at < clock_timestamp() - make_interval(days => ${EVENT_LOG_DAYS})
          and xid < pg_snapshot_xmin(pg_current_snapshot()) as is_old
        from events order by seq limit ${REMOVAL_BATCH}),
      old as (
        select seq, kind from first
        where seq <= coalesce((select min(seq) - 1 from first where not is_old), (select max(seq) from first))),
      removed as (
        delete from events where seq in (select seq from old) and exists (select from old where kind <> '')
        returning seq, xid)
    ${marker(sql`max(xid)`)}`.execute(db)
  return numAffectedRows
}

/** Whether the text is a snapshot of PostgreSQL: `xmin:xmax:xip,…`, in ascending order. */
export function isSnapshot(text: string): boolean {
  const [, xmin, xmax, list] = /^(\d{1,19}):(\d{1,19}):((?:\d{1,19})?(?:,\d{1,19})*)$/.exec(text) ?? []
  if (!xmin || !xmax) return false
  const running = list ? list.split(',').map(BigInt) : []
  const [first, last] = [BigInt(xmin), BigInt(xmax)]
  const isAscending = running.every((xid, n) => n === 0 || xid > (running[n - 1] as bigint))
  const isInside = running.every((xid) => xid >= first && xid < last)
  return first > 0n && first <= last && last < 2n ** 62n && isAscending && isInside
}
