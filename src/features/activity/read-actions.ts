import { type RawBuilder, sql } from 'kysely'
import type { Db } from '#src/platform/database/database.ts'
import { all, type Json, type JsonPage, jsonArray, readRecord, utc } from '#src/platform/database/sql.ts'
import { pageOf } from '#src/platform/schema/shapes.ts'
import type { ActionQuery } from './action-schema.ts'

const fields = sql`id, kind, user_email, ${utc('created_at')}, records,
  (undone_by is null and kind <> 'purge') as undoable, undoes, undone_by`

/** A page of actions, newest first, with its exact total. */
export async function listActions(db: Db, { kind, user_email, ...page }: ActionQuery): Promise<JsonPage> {
  const { limit, offset } = pageOf(page)
  const where: RawBuilder<unknown>[] = []
  if (kind) where.push(sql`kind = ${kind}`)
  if (user_email) where.push(sql`user_email = ${user_email.toLowerCase()}`)
  const actions = sql`
    select ${fields} from actions where ${all(where)} order by id desc limit ${limit} offset ${offset}`
  const { rows } = await sql<JsonPage>`
    select (${jsonArray(actions)}) as records, (
      select coalesce(sum(n), 0)::float8 from
        (select * from action_counts union all select * from action_count_deltas) counts where ${all(where)}) as total`.execute(
    db,
  )
  return rows[0] as JsonPage
}

/** An action with the number of its activity records by type, and what it did if it is an undo. */
export const readAction = (db: Db, id: string): Promise<Json | undefined> =>
  readRecord(db, {
    table: 'actions',
    fields: sql`${fields}, coalesce((select json_object_agg(activity_type, n) from (
      select activity_type, count(*) as n from activity where action_id = actions.id group by 1 order by 1) counted),
      '{}') as activity,
      (select json_build_object('finished', finished_at is not null, 'reverted', reverted, 'skipped', skipped,
        'skipped_omitted', skipped_omitted) from undos where undos.id = actions.id) as outcome`,
    id,
  })
