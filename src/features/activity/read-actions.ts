import { type RawBuilder, sql } from 'kysely'
import { canSee, isHidden, type Viewer } from '#src/features/visibility/index.ts'
import type { Db } from '#src/platform/database/database.ts'
import { all, type Json, type JsonPage, jsonArray, readRecord, utc } from '#src/platform/database/sql.ts'
import { orNotFound } from '#src/platform/errors.ts'
import { pageOf } from '#src/platform/schema/shapes.ts'
import type { ActionQuery } from './action-schema.ts'

/** The activity that a caller may not see. It is little, and found through the private records. */
export const hiddenActivity = (viewer: Viewer): RawBuilder<unknown> => sql`
  select activity.* from private_records join activity on activity.entity_id = private_records.id
  where ${isHidden(viewer)}`

const canSeeActivity = (viewer: Viewer) => canSee(viewer, sql`activity.entity_id`)

/**
 * Whether a caller may see some of an action's activity; null if it has none. Reads no further than the first record that
 * they may see, whatever the statistics of the tables say.
 */
const showsActivity = (viewer: Viewer, id: RawBuilder<unknown>) => sql`coalesce(
  (select true from activity where activity.action_id = ${id} and ${canSeeActivity(viewer)} limit 1),
  (select false from activity where activity.action_id = ${id} limit 1))`

/**
 * The condition that a caller may see an action: some of its activity. One without activity may be an undo that had no
 * effect, and is seen like the action that it undid.
 */
const isVisible = (viewer: Viewer) => sql`coalesce(${showsActivity(viewer, sql`actions.id`)},
  ${showsActivity(viewer, sql`actions.undoes`)}, true)`

/** @param hidden the number of its records that the caller may not see */
const fieldsOf = (hidden: RawBuilder<unknown>) => sql`id, kind, user_email, ${utc('created_at')},
  greatest(records - ${hidden}, 0) as records, (undone_by is null and kind <> 'purge') as undoable, undoes, undone_by`

/** A page of actions, newest first, with its exact total. */
export async function listActions(
  db: Db,
  viewer: Viewer,
  { kind, user_email, ...page }: ActionQuery,
): Promise<JsonPage> {
  const { limit, offset } = pageOf(page)
  const where: RawBuilder<unknown>[] = []
  if (kind) where.push(sql`kind = ${kind}`)
  if (user_email) where.push(sql`user_email = ${user_email.toLowerCase()}`)
  const fields = fieldsOf(sql`coalesce((select n from hidden where hidden.action_id = actions.id), 0)`)
  const actions = sql`
    select ${fields} from actions where ${all([...where, sql`id not in (select id from hidden_actions)`])}
    order by id desc limit ${limit} offset ${offset}`
  // The counters count all actions.
  const total = sql`coalesce((select sum(n) from
      (select * from action_counts union all select * from action_count_deltas) counts where ${all(where)}), 0)
    - (select count(*) from actions where ${all([...where, sql`id in (select id from hidden_actions)`])})`
  const { rows } = await sql<JsonPage>`
    with hidden as materialized (
        select action_id, count(distinct entity_id) as n from (${hiddenActivity(viewer)}) activity
        where action_id is not null group by action_id),
      hidden_actions as materialized (
        select id from actions where not ${isVisible(viewer)} and id in (
          select action_id from hidden union all select undos.id from undos join hidden using (action_id)))
    select (${jsonArray(actions)}) as records, (${total})::float8 as total`.execute(db)
  return rows[0] as JsonPage
}

/** An action with the number of its activity records by type, and what it did if it is an undo. */
export function readAction(db: Db, viewer: Viewer, id: string): Promise<Json | undefined> {
  const hidden = sql`(
    select count(distinct entity_id) from activity where action_id = actions.id and not ${canSeeActivity(viewer)})`
  return readRecord(db, {
    table: 'actions',
    fields: sql`${fieldsOf(hidden)}, coalesce((select json_object_agg(activity_type, n) from (
      select activity_type, count(*) as n from activity
      where action_id = actions.id and ${canSeeActivity(viewer)} group by 1 order by 1) counted), '{}') as activity,
      (select json_build_object('finished', finished_at is not null, 'reverted', greatest(reverted - ${hidden}, 0),
        'skipped', (select coalesce(json_agg(entry order by position), '[]')
          from json_array_elements(skipped) with ordinality listed(entry, position)
          where ${canSee(viewer, sql`entry ->> 'entity_id'`)}),
        'skipped_omitted', skipped_omitted) from undos where undos.id = actions.id) as outcome`,
    id,
    where: isVisible(viewer),
  })
}

/** @throws NotFound if there is no such action, or none that the caller may see */
export async function requireVisibleAction(db: Db, viewer: Viewer, id: string): Promise<void> {
  const { rows } = await sql`select from actions where id = ${id} and ${isVisible(viewer)}`.execute(db)
  orNotFound(rows[0], 'action', id)
}

/** How many of the records that an action has changed a caller may not see. */
export async function countHidden(db: Db, viewer: Viewer, action_id: string): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    select count(distinct entity_id)::int as n from activity
    where action_id = ${action_id} and not ${canSeeActivity(viewer)}`.execute(db)
  return rows[0]?.n ?? 0
}
