import { type RawBuilder, sql } from 'kysely'
import { mayHaveChanged } from '#src/features/events/index.ts'
import type { Db } from '#src/platform/database/database.ts'
import { all, utc } from '#src/platform/database/sql.ts'
import { localDay } from '#src/platform/schema/time-zone.ts'
import { conditionsOf, readsOtherTables, VIEW_RECORDS, type ViewCaller } from './records.ts'
import { MAX_SEEN_RECORDS, type View } from './schema.ts'
import { isUnchangedSince, type Snapshot } from './snapshot.ts'

/** The kinds of records that filters may read, besides the kind that the view shows. */
const READ_KINDS = ['company', 'deal', 'thesis', 'stage'] as const

/**
 * Remembers which records a view shows to a user.
 * @param until records that may have entered the view later stay new; by default, now
 * @throws InvalidInput for a filter that has become wrong
 */
export async function markSeen(
  db: Db,
  view: View,
  viewer: ViewCaller,
  until?: Snapshot,
): Promise<{ seen_at: string; records: number }> {
  const { table } = VIEW_RECORDS[view.entity]
  const { email } = viewer
  const conditions = await conditionsOf(db, view, viewer)
  if (until) conditions.push(await wasShown(db, view, viewer, until))
  const ids = sql`select id from ${sql.table(table)} where ${all(conditions)}`
  const time = until ? sql`${until.time}::timestamptz` : sql`date_trunc('milliseconds', clock_timestamp())`
  const { rows } = await sql<{ seen_at: string; records: number }>`
    with shown as materialized (${ids}),
      counted as (select count(*)::float8 as records from shown),
      look as (
        insert into view_looks (view_id, user_email, seen_at, ids)
        select ${view.id}, ${email}, ${time},
          case when records <= ${MAX_SEEN_RECORDS} then array(select id from shown order by id) end
        from counted
        on conflict (view_id, user_email) do update
          set seen_at = greatest(view_looks.seen_at, excluded.seen_at), ids = excluded.ids
        returning seen_at)
    select ${utc('seen_at')}, records from look, counted`.execute(db)
  return rows[0] as { seen_at: string; records: number }
}

/** Whether a record had been seen before, or was in the view at a moment: it is as it was then, and so is the view. */
async function wasShown(
  db: Db,
  view: View,
  viewer: ViewCaller,
  until: Snapshot,
): Promise<RawBuilder<unknown>> {
  const { email } = viewer
  const { table } = VIEW_RECORDS[view.entity]
  const id = sql.ref(`${table}.id`)
  const ofLook = sql`view_id = ${view.id} and user_email = ${email}`
  const wasSeen = sql`(${id} in (select unnest(ids) from view_looks where ${ofLook})
    or ${sql.ref(`${table}.created_at`)} <= (select seen_at from view_looks where ${ofLook} and ids is null))`
  const isSame = [
    isUnchangedSince({ table, kind: view.entity }, until),
    sql`(select ${isUnchangedSince({ table: 'views', kind: 'view' }, until)} from views where id = ${view.id})`,
  ]
  // Relative dates in a filter make records enter the view as days pass.
  const zone = await viewer.readTimeZone()
  if (localDay(until.time.getTime(), zone) !== localDay(Date.now(), zone))
    isSame.push(...(await conditionsOf(db, view, viewer, until.time)))
  if (await readsOtherTables(db, view, viewer)) {
    const others = READ_KINDS.filter((kind) => kind !== view.entity)
    isSame.push(sql`not ${mayHaveChanged(others, until.snapshot)}`)
  }
  return sql`(${wasSeen} or (${all(isSame)}))`
}
