import { type RawBuilder, sql } from 'kysely'
import type { Db } from '#src/platform/database/database.ts'
import { all, asList, type JsonPage, utc } from '#src/platform/database/sql.ts'
import type { PageRequest } from '#src/platform/schema/shapes.ts'
import { conditionsOf, VIEW_RECORDS } from './records.ts'
import { MAX_SEEN_RECORDS, type View } from './schema.ts'

interface Look {
  seen_at: string
  /** Whether there were too many records to remember each. */
  isLarge: boolean
}

export interface NewRecords extends JsonPage {
  seen_at: string | null
  only_created: boolean
}

/** A page of the records that a view shows now and did not show when the user last looked, newest first. */
export async function listNewRecords(
  db: Db,
  view: View,
  email: string,
  { limit, offset }: PageRequest,
): Promise<NewRecords> {
  const ofLook = sql`view_id = ${view.id} and user_email = ${email}`
  const { rows: looks } = await sql<Look>`
    select ${utc('seen_at')}, ids is null as "isLarge" from view_looks where ${ofLook}`.execute(db)
  const [look] = looks
  if (!look) return { records: '[]', total: 0, seen_at: null, only_created: false }
  const { table, shown } = VIEW_RECORDS[view.entity]
  const seen = sql`select unnest(ids) as seen_id from view_looks where ${ofLook}`
  const isNew: RawBuilder<unknown> = look.isLarge
    ? sql`${sql.ref(`${table}.created_at`)} > ${look.seen_at}::timestamptz`
    : sql`not exists (select from (${seen}) seen where seen_id = ${sql.ref(`${table}.id`)})`
  const from = sql`from ${sql.table(table)} where ${all([...(await conditionsOf(db, view, email)), isNew])}`
  const page = sql`select ${shown} ${from} order by ${sql.ref(`${table}.id`)} desc limit ${limit} offset ${offset}`
  const { rows } = await sql<JsonPage>`
    select (${asList(page)}) as records, (select count(*)::float8 ${from}) as total`.execute(db)
  return { ...(rows[0] as JsonPage), seen_at: look.seen_at, only_created: look.isLarge }
}

/** Remembers which records a view shows to a user now. */
export async function markSeen(
  db: Db,
  view: View,
  email: string,
): Promise<{ seen_at: string; records: number }> {
  const { table } = VIEW_RECORDS[view.entity]
  const ids = sql`select id from ${sql.table(table)} where ${all(await conditionsOf(db, view, email))}`
  const { rows } = await sql<{ seen_at: string; records: number }>`
    with shown as materialized (${ids}),
      counted as (select count(*)::float8 as records from shown),
      look as (
        insert into view_looks (view_id, user_email, seen_at, ids)
        select ${view.id}, ${email}, date_trunc('milliseconds', clock_timestamp()),
          case when records <= ${MAX_SEEN_RECORDS} then array(select id from shown order by id) end
        from counted
        on conflict (view_id, user_email) do update set seen_at = excluded.seen_at, ids = excluded.ids
        returning seen_at)
    select ${utc('seen_at')}, records from look, counted`.execute(db)
  return rows[0] as { seen_at: string; records: number }
}
