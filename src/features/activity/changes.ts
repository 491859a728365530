import { isDeepStrictEqual } from 'node:util'
import { sql } from 'kysely'
import type { Db } from '#src/platform/database/database.ts'
import { type JsonPage, readPageAndTotal, utcText } from '#src/platform/database/sql.ts'
import { InvalidInput } from '#src/platform/errors.ts'
import type { PageRequest } from '#src/platform/schema/shapes.ts'

/** The previous and new values of fields. */
export type Changes = Record<string, { from: unknown; to: unknown }>

/**
 * The previous and new values of those fields that differ.
 * @param fields the fields to compare, by default those of `after`
 */
export function changesOf(
  before: object,
  after: object,
  fields: readonly string[] = Object.keys(after),
): Changes {
  const [previous, current] = [before, after] as Record<string, unknown>[]
  return Object.fromEntries(
    fields
      .map((field) => [field, { from: previous?.[field] ?? null, to: current?.[field] ?? null }] as const)
      .filter(([_field, { from, to }]) => !isDeepStrictEqual(from, to)),
  )
}

/** Called for long values only: PostgreSQL does not inline the function. */
const shortValue = (side: 'from' | 'to') => {
  const value = sql`value -> ${sql.lit(side)}`
  return sql`case when octet_length((${value})::text) > 2048 then shorten_value(${value}) else ${value} end`
}

/** A page of a record's changed fields, newest first, with long values shortened. */
export function readHistory(
  db: Db,
  id: string,
  field: string | undefined,
  { limit, offset }: PageRequest,
): Promise<JsonPage> {
  const changed = sql`
    select activity.id as activity_id, activity."timestamp", user_email, via, action_id, key as field, value
    from activity, json_each(changes) as change
    where entity_id = ${id} and changes is not null ${field ? sql`and key = ${field}` : sql``}`
  const page = sql`
    select activity_id, ${utcText(sql`"timestamp"`)} as "timestamp",
      user_email, via, action_id, field, ${shortValue('from')} as "from", ${shortValue('to')} as "to",
      greatest(octet_length((value -> 'from')::text), octet_length((value -> 'to')::text)) > 2048 as truncated
    from (select * from (${changed}) changed order by changed."timestamp" desc, activity_id desc, field
      limit ${limit} offset ${offset}) page
    order by page."timestamp" desc, activity_id desc, field`
  return readPageAndTotal(db, page, sql`select count(*) from (${changed}) changed`)
}

/** A record's past. */
interface PastState {
  /** Whether it was in the trash, or merged. */
  isTrashed: boolean
  /** The values of the fields that have changed since. */
  values: Record<string, unknown>
  /** The time of the last change until then; null: not changed since it was created. */
  updated_at: string | null
}

/** What has to be put back to see a record as it was at a time. */
export async function readPast(db: Db, ids: string[], time: string): Promise<Map<string, PastState>> {
  const { rows } = await sql<PastState & { id: string }>`
    select id,
      coalesce((select activity_type ~ '_(deleted|merged)$' from activity where entity_id = requested.id
        and "timestamp" <= ${time}::timestamptz and activity_type ~ '_(deleted|restored|merged|unmerged)$'
        order by "timestamp" desc, activity.id desc limit 1), false) as "isTrashed",
      coalesce((select json_object_agg(key, value -> 'from') from (
        select distinct on (key) key, value from activity, json_each(changes) as change
        where entity_id = requested.id and "timestamp" > ${time}::timestamptz and changes is not null
        order by key, "timestamp", activity.id) later), '{}') as values,
      (select ${utcText(sql`max("timestamp")`)} from activity
        where entity_id = requested.id and "timestamp" <= ${time}::timestamptz and changes is not null) as updated_at
    from unnest(${ids}::text[]) as requested(id)`.execute(db)
  return new Map(rows.map(({ id, ...past }) => [id, past]))
}

/** @throws InvalidInput for an `as_of` in the future */
export function requirePast(as_of: string): void {
  if (Date.parse(as_of) > Date.now())
    throw new InvalidInput('as_of must not be in the future: the history ends now.')
}

/** The record as it was; undefined if it did not exist then, or was in the trash. */
export function recordAt<T extends { created_at: string }>(
  record: T,
  past: PastState | undefined,
  time: string,
): T | undefined {
  if (!past || past.isTrashed || Date.parse(record.created_at) > Date.parse(time)) return undefined
  return { ...record, ...past.values, updated_at: past.updated_at ?? record.created_at }
}
