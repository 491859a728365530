import { type RawBuilder, sql } from 'kysely'
import { canSee, canSeeInList, type Viewer } from '#src/features/visibility/index.ts'
import type { Counter } from '#src/platform/database/counters.ts'
import type { Db } from '#src/platform/database/database.ts'
import {
  all,
  isOneOf,
  type Json,
  type JsonPage,
  precompile,
  readPageAndTotal,
  readRecord,
  utc,
} from '#src/platform/database/sql.ts'
import { PreconditionFailed } from '#src/platform/errors.ts'
import { type FilterCaller, filterConditions } from '#src/platform/filter/query.ts'
import { firstIdAt, idTime, newId } from '#src/platform/ids.ts'
import { timesIn } from '#src/platform/schema/formats.ts'
import type { PageRequest } from '#src/platform/schema/shapes.ts'
import { pageOf } from '#src/platform/schema/shapes.ts'
import { aboutOfEntity } from './about.ts'
import { type Action, type Actor, insertAction } from './action.ts'
import type { Changes } from './changes.ts'
import { activityFields } from './fields.ts'
import { hiddenActivity } from './read-actions.ts'
import type { ActivityQuery, ENTITY_TYPES } from './schema.ts'

export interface NewActivity {
  activity_type: string
  entity_type: (typeof ENTITY_TYPES)[number]
  entity_id: string
  company_id?: string
  metadata?: Record<string, unknown>
  changes?: Changes
  /** The time of the change: the record's new `updated_at`, so that the order of a record's changes is exact. */
  timestamp?: string
}

/** The current name of the company, also of one in the trash. */
const companyName = sql`coalesce((select name from companies where companies.id = company_id),
  (select name from trash where trash.id = activity.company_id))`

/** Name of the entity of a row of `activity`, looked up by primary key. Used only for the rows of the page, not for skipped ones. */
export const entityName = sql`
  case when entity_type in ('company', 'dealflow', 'decision') then ${companyName}
    when entity_type = 'thesis' then coalesce((select title from theses where theses.id = entity_id),
      (select name from trash where trash.id = entity_id))
    when entity_type = 'person' then coalesce((select name from people where people.id = entity_id),
      (select name from trash where trash.id = entity_id))
    when entity_type = 'note' then coalesce(
      (select note_name(title, body) from notes where notes.id = entity_id),
      (select name from trash where trash.id = entity_id))
    when entity_type = 'task' then coalesce((select title from tasks where tasks.id = entity_id),
      (select name from trash where trash.id = entity_id))
    when entity_type = 'file' then coalesce((select name from files where files.id = entity_id),
      (select name from trash where trash.id = entity_id)) end`

const fields = (changes: RawBuilder<unknown>) => sql`id, activity_type, entity_type, entity_id,
  ${entityName} as entity_name, ${aboutOfEntity(sql`entity_id`)}, company_id, ${companyName} as company_name, user_email, ${utc('timestamp')}, metadata, ${changes} as changes, action_id,
  via`

/** Called for long values only: PostgreSQL does not inline the function, and a call takes 0.3 ms. */
const shortChanges = sql`
  case when octet_length(changes::text) > 2048 then shorten_changes(changes) else changes end`

const shortFields = precompile(fields(shortChanges))

/** A page of activity records as the API shows them, newest first. */
export const activityPage = (
  conditions: RawBuilder<unknown>[],
  { limit, offset }: PageRequest,
): RawBuilder<unknown> =>
  sql`select ${shortFields} from (
    select * from activity where ${all(conditions)} order by id desc limit ${limit} offset ${offset}) activity
    order by id desc`

/** The activity of companies and their deals, without that of their people, notes, decisions, and tasks, newest first. Each company's own index is read only as far as needed. */
export const companyActivityPage = (
  companies: RawBuilder<unknown>,
  conditions: RawBuilder<unknown>[],
  limit: number,
): RawBuilder<unknown> =>
  sql`select ${shortFields} from (
    select latest.* from unnest(${companies}) as requested(id) cross join lateral (
      select * from activity where ${all([sql`company_id = requested.id`, sql`entity_type in ('company', 'dealflow', 'thesis')`, ...conditions])} order by id desc limit ${limit}) latest
    order by latest.id desc limit ${limit}) activity
    order by id desc`

/** An activity record with whole values; undefined if there is none that the caller may see. */
export const readActivity = (db: Db, viewer: Viewer, id: string): Promise<Json | undefined> =>
  readRecord(db, {
    table: 'activity',
    fields: fields(sql`changes`),
    id,
    where: canSee(viewer, sql`activity.entity_id`),
  })

/** The row of an activity record. */
export function activityRow(
  user: Actor,
  { metadata = {}, changes, ...activity }: NewActivity,
  action?: Action,
): object {
  const id = newId('act')
  return {
    id,
    timestamp: idTime(id).toISOString(),
    ...activity,
    user_email: user?.email ?? null,
    metadata,
    ...(changes && Object.keys(changes).length > 0 && { changes }),
    ...(action && { action_id: action.id, via: action.via }),
  }
}

/** The SQL that inserts activity records, given as a JSON array of `activityRow`s. */
export const insertActivityRows = (json: unknown): RawBuilder<unknown> => sql`insert into activity
    (id, activity_type, entity_type, entity_id, company_id, user_email, "timestamp", metadata, changes, action_id, via)
    select * from json_to_recordset(${json}::json) as row
    (id text, activity_type text, entity_type text, entity_id text, company_id text, user_email text,
      "timestamp" timestamptz, metadata json, changes json, action_id text, via text)`

/**
 * The SQL that inserts activity records. Can run alone or as part of the statement that makes the change.
 * @param action the action that they belong to; `recordAction` also stores it
 */
export const insertActivity = (
  user: Actor,
  activities: NewActivity[],
  action?: Action,
): RawBuilder<unknown> =>
  insertActivityRows(JSON.stringify(activities.map((activity) => activityRow(user, activity, action))))

/**
 * Records the changes of an action.
 * @param db the transaction that makes them
 * @returns the action that has undone it, if it is still running
 */
export async function recordAction(
  db: Db,
  action: Action,
  activities: NewActivity[],
): Promise<string | null> {
  if (activities.length === 0) return null
  const records = new Set(activities.map(({ entity_id }) => entity_id)).size
  const { rows } = await sql<{ undone_by: string | null }>`
    with action as (${insertAction(action, records)}),
      recorded as (${insertActivity(action.user, activities, action)})
    select undone_by from action`.execute(db)
  return rows[0]?.undone_by ?? null
}

/**
 * Records events that change no record, such as the start of a bulk action.
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

/**
 * A page of activity, newest first, with its exact total.
 * @throws InvalidInput for a wrong filter
 */
export async function listActivity(
  db: Db,
  viewer: Viewer,
  caller: FilterCaller,
  query: ActivityQuery,
): Promise<JsonPage> {
  const { activity_type, entity_type, entity_id, user_email, action_id, since, until } = query
  const counted: RawBuilder<unknown>[] = []
  if (activity_type) counted.push(sql`activity_type = any(${[activity_type].flat()})`)
  if (entity_type) counted.push(isOneOf('entity_type', entity_type))
  if (user_email) counted.push(isOneOf('user_email', user_email))
  const uncounted = await filterConditions(query.filter, activityFields, caller)
  if (entity_id) uncounted.push(isOneOf('entity_id', entity_id))
  if (action_id) uncounted.push(sql`action_id = ${action_id}`)
  if (since) uncounted.push(...timeBound(sql`>=`, since, -MAX_SKEW_MS))
  if (until) uncounted.push(...timeBound(sql`<`, until, MAX_SKEW_MS))
  const where = [...counted, ...uncounted, canSeeInList(viewer, sql`activity.entity_id`)]
  const page = activityPage(where, pageOf(query))
  // Few enough records to count. All other totals come from counters, which count hidden records too.
  const total =
    uncounted.length > 0
      ? sql`select count(*) from activity where ${all(where)}`
      : sql`select coalesce(sum(n), 0) - (select count(*) from (${hiddenActivity(viewer)}) activity where ${all(counted)})
        from (select * from activity_counts union all select * from activity_count_deltas) counts where ${all(counted)}`
  return readPageAndTotal(db, page, total)
}

/** How far the clocks of two processes may differ: the ids are of one clock, the times of records of another. */
const MAX_SKEW_MS = 60_000

/** The records since or until a time, found through their ids. */
const timeBound = (comparison: RawBuilder<unknown>, time: string, skew: number): RawBuilder<unknown>[] => [
  sql`"timestamp" ${comparison} ${time}::timestamptz`,
  sql`id ${comparison} ${firstIdAt('act', new Date(Date.parse(time) + skew))}`,
]

/** Counts activity records by each combination of these columns. */
export const activityCounter: Counter = {
  name: 'activity',
  columns: ['entity_type', 'user_email', 'activity_type'],
}

/** Counts actions by each combination of these columns. */
export const actionCounter: Counter = { name: 'action', columns: ['kind', 'user_email'] }
