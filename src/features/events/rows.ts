import { type RawBuilder, sql } from 'kysely'
import type { Db } from '#src/platform/database/database.ts'
import { snapshot } from '#src/platform/database/snapshot.ts'
import { all, utcText } from '#src/platform/database/sql.ts'
import { isLogged, isMarker, isOfThisServer, isSince, isSnapshot } from './log.ts'
import type { EventKind } from './schema.ts'

/** A statement looks at so many numbers of the log at a time, also where few of its entries are asked for. */
const STEP = 10_000

/** An entry of the log. */
export interface EventRow {
  seq: number
  kind: EventKind
  /** Such as `deal.stage_changed`; null: there is no activity record. */
  type: string | null
  /** null: several records. */
  record_id: string | null
  records: number
  activity_id: string | null
  action_id: string | null
  user_email: string | null
  via: string | null
  /** The only users who may know of it; null: everyone. */
  readers: string[] | null
  at: string
}

export interface EventRows {
  /** Where to read on. */
  snapshot: string
  /** Whether the log still has everything since the position. */
  isComplete: boolean
  rows: EventRow[]
}

/** The entries that one snapshot shows and an earlier one does not, in order: those behind `seq`, up to `last`. */
interface Range {
  previous: string
  current: string
  seq: number
  last: number
}

interface OpenRange extends Range {
  /** Whether the log still has all of it. */
  isComplete: boolean
}

/** Whether `readEventRows` can read on from this text. */
export const isPosition = (text: string): boolean => isSnapshot(text) || parseRange(text) !== undefined

const rangeText = ({ previous, current, seq, last }: Range): string =>
  [previous, current, seq, last].join('~')

function parseRange(text: string): Range | undefined {
  const [previous = '', current = '', ...numbers] = text.split('~')
  const isRange = isSnapshot(previous) && isSnapshot(current) && numbers.length === 2
  if (!isRange || !numbers.every((number) => /^\d{1,15}$/.test(number))) return undefined
  const [seq, last] = numbers.map(Number) as [number, number]
  return { previous, current, seq, last }
}

/**
 * The entries that have been committed since a position, in order: those of one record in the order of its changes. If there
 * are fewer than `limit`, there are no more at present. Each is read once, whatever order transactions end in.
 * @param position what an earlier call returned, or a snapshot of the database
 * @param where which entries are asked for; by default, all
 */
export async function readEventRows(
  db: Db,
  position: string,
  limit: number,
  where: RawBuilder<unknown>[] = [],
): Promise<EventRows> {
  const rows: EventRow[] = []
  const rest = parseRange(position)
  let range = rest ? await continueRange(db, rest) : await openRange(db, position)
  let { isComplete } = range
  for (let isCurrent = !rest; ; isCurrent = true) {
    while (range.seq < range.last && rows.length < limit) {
      const step = await readStep(db, range, limit - rows.length, where)
      rows.push(...step.rows)
      range = { ...range, seq: step.seq }
    }
    if (isCurrent || rows.length === limit) break
    range = await openRange(db, range.current)
    isComplete &&= range.isComplete
  }
  return { snapshot: range.seq < range.last ? rangeText(range) : range.current, isComplete, rows }
}

/** All entries since a snapshot. */
async function openRange(db: Db, previous: string): Promise<OpenRange> {
  // With plain columns, PostgreSQL would look for the first entry from the beginning of the log.
  const { rows } = await sql<OpenRange>`
    select ${previous} as previous, ${snapshot} as current, ${isLogged(previous)} as "isComplete",
      coalesce(min(seq + 0) - 1, 0)::float8 as seq, coalesce(max(seq + 0), 0)::float8 as last
    from events where ${isSince(previous)}`.execute(db)
  return rows[0] as OpenRange
}

/** The rest of a range, as far as it is still in the log. */
async function continueRange(db: Db, { previous, current, seq, last }: Range): Promise<OpenRange> {
  const { rows } = await sql<OpenRange>`
    select ${previous} as previous, ${current} as current,
      (${isLogged(previous)} or ${seq}::bigint >= removed) and ${isOfThisServer(current)} as "isComplete",
      greatest(${seq}::bigint, removed)::float8 as seq,
      least(${last}::bigint, (select max(seq) from events))::float8 as last
    from (select max(seq) as removed from events where ${isMarker}) log`.execute(db)
  return rows[0] as OpenRange
}

/** Reads the first entries of a range. */
async function readStep(
  db: Db,
  { previous, current, seq, last }: Range,
  limit: number,
  where: RawBuilder<unknown>[],
): Promise<{ rows: EventRow[]; seq: number }> {
  const end = Math.min(seq + STEP, last)
  const { rows } = await sql<EventRow>`
    select seq::float8 as seq, kind, type, record_id, records, activity_id, action_id, user_email, via, readers,
      ${utcText(sql`at`)} as at
    from events where ${all([
      sql`seq > ${seq}::bigint and seq <= ${end}::bigint and kind <> ''`,
      sql`not pg_visible_in_snapshot(xid, ${previous}::pg_snapshot)`,
      sql`pg_visible_in_snapshot(xid, ${current}::pg_snapshot)`,
      ...where,
    ])} order by seq limit ${limit}`.execute(db)
  return { rows, seq: rows.length < limit ? end : (rows.at(-1) as EventRow).seq }
}
