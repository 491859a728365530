import { type RawBuilder, sql } from 'kysely'
import type { Db } from '#src/platform/database/database.ts'
import { all, asList, type JsonPage, utc } from '#src/platform/database/sql.ts'
import { PreconditionFailed } from '#src/platform/errors.ts'
import { idTime, newId } from '#src/platform/ids.ts'
import { timesIn } from '#src/platform/schema/formats.ts'
import type { PageRequest } from '#src/platform/schema/shapes.ts'
import { pageOf } from '#src/platform/schema/shapes.ts'
import type { ActivityQuery, ENTITY_TYPES } from './schema.ts'

/** The user who made the change; null: unknown. */
type Actor = { email: string } | null

export interface NewActivity {
  activity_type: string
  entity_type: (typeof ENTITY_TYPES)[number]
  entity_id: string
  company_id?: string
  metadata?: Record<string, unknown>
}

/** Name of the entity, looked up by primary key. Used only for the rows of the page, not for skipped ones. */
const entityName = sql`
  case when entity_type in ('company', 'dealflow') then (select name from companies where companies.id = company_id)
    when entity_type = 'thesis' then (select title from theses where theses.id = entity_id) end`

const fields = sql`id, activity_type, entity_type, entity_id, ${entityName} as entity_name, company_id, user_email,
  ${utc('timestamp')}, metadata`

/** A page of activity records as the API shows them, newest first. */
export const activityPage = (
  conditions: RawBuilder<unknown>[],
  { limit, offset }: PageRequest,
): RawBuilder<unknown> =>
  sql`select ${fields} from (
    select * from activity where ${all(conditions)} order by id desc limit ${limit} offset ${offset}) page
    order by id desc`

/** The SQL that inserts activity records. Can run alone or as part of the statement that makes the change. */
export function insertActivity(user: Actor, activities: NewActivity[]): RawBuilder<unknown> {
  const rows = activities.map((activity) => {
    const id = newId('act')
    return {
      id,
      ...activity,
      user_email: user?.email ?? null,
      timestamp: idTime(id).toISOString(),
      metadata: activity.metadata ?? {},
    }
  })
  return sql`insert into activity
    (id, activity_type, entity_type, entity_id, company_id, user_email, "timestamp", metadata)
    select * from json_to_recordset(${JSON.stringify(rows)}::json) as row
    (id text, activity_type text, entity_type text, entity_id text, company_id text, user_email text,
      "timestamp" timestamptz, metadata json)`
}

/**
 * Records activity.
 * @param db the transaction that makes the change
 */
export async function recordActivity(db: Db, user: Actor, activities: NewActivity[]): Promise<void> {
  await insertActivity(user, activities).execute(db)
}

/**
 * Checks `If-Match` against a record.
 * @param db the transaction that has locked the record
 * @param ifMatch the header: quoted times, or `*`
 * @throws PreconditionFailed if the record has changed since the caller read it
 */
export async function requireUnchanged(
  db: Db,
  ifMatch: string | undefined,
  kind: string,
  { id, updated_at }: { id: string; updated_at: string | Date },
): Promise<void> {
  if (ifMatch === undefined || ifMatch === '*') return
  const changed = new Date(updated_at)
  if (timesIn(ifMatch).some((time) => Date.parse(time) === changed.getTime())) return
  const { rows } = await sql<{ user_email: string | null }>`
    select user_email from activity
    where entity_id = ${id} and (metadata -> 'fields')::text is distinct from '[]'
    order by id desc limit 1`.execute(db)
  const by = rows[0]?.user_email ? ` by ${rows[0].user_email}` : ''
  throw new PreconditionFailed(
    `If-Match must be the time of the last change: this ${kind} was last changed at ${changed.toISOString()}${by}. Nothing was saved. Read it again.`,
  )
}

/** A page of activity, newest first, with its exact total. */
export async function listActivity(db: Db, query: ActivityQuery): Promise<JsonPage> {
  const { activity_type, entity_type, entity_id, user_email } = query
  const counted: RawBuilder<unknown>[] = []
  if (activity_type) counted.push(sql`activity_type = ${activity_type}`)
  if (entity_type) counted.push(sql`entity_type = ${entity_type}`)
  if (user_email) counted.push(sql`user_email = ${user_email.toLowerCase()}`)
  const where = entity_id ? [...counted, sql`entity_id = ${entity_id}`] : counted
  const page = activityPage(where, pageOf(query))
  // One entity has few enough records to count. All other totals come from counters.
  const total = entity_id
    ? sql`select count(*) from activity where ${all(where)}`
    : sql`select coalesce(sum(n), 0) from
        (select * from activity_counts union all select * from activity_count_deltas) counts where ${all(counted)}`
  const { rows } = await sql<JsonPage>`
    select (${asList(page)}) as records, (${total})::float8 as total`.execute(db)
  return rows[0] as JsonPage
}
