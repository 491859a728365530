import { sql } from 'kysely'
import type { EventKind } from '#src/features/events/index.ts'
import { isSnapshot, mayHaveChanged } from '#src/features/events/index.ts'
import { InvalidInput } from '#src/platform/errors.ts'
import { shown } from '#src/platform/schema/describe-error.ts'

/** A moment at which a view was read. */
export interface Snapshot {
  time: Date
  /** Which transactions of the database the reader saw. */
  snapshot: string
}

/** The moment as `GET /api/views/:id/new` returns it. */
export const momentText = ({ time, snapshot }: Snapshot): string => `${time.toISOString()}~${snapshot}`

/** @throws InvalidInput if the text is not a moment */
export function parseMoment(text: string): Snapshot {
  const [day = '', snapshot = ''] = text.split('~')
  const time = new Date(day)
  const isMoment = !Number.isNaN(time.getTime()) && time.toISOString() === day && isSnapshot(snapshot)
  if (!isMoment || time.getTime() > Date.now() + MAX_CLOCK_DIFFERENCE_MS)
    throw new InvalidInput(`until must be what GET /api/views/:id/new has returned, not ${shown(text)}.`)
  return { time, snapshot }
}

/** Between the clocks of the processes of the service. */
const MAX_CLOCK_DIFFERENCE_MS = 60_000

const current = sql`pg_snapshot_xmax(pg_current_snapshot())::text::bigint`

/** Rows have the last 32 bits of a transaction's id. */
const transactionOf = (table: string) =>
  sql`(${current} - ((${current} - ${sql.ref(`${table}.xmin`)}::text::bigint) & 4294967295))::text::xid8`

interface RecordTable {
  table: string
  /** In the log of changes. */
  kind: EventKind
}

/**
 * Whether a row of the table is as it was at the moment. A moment in the future is one of another server, whose database
 * was restored here. The id in a row may be that of a savepoint, whose end a snapshot does not know: the log has that of its
 * transaction.
 */
export const isUnchangedSince = ({ table, kind }: RecordTable, { snapshot }: Snapshot) =>
  sql`(pg_snapshot_xmax(${snapshot}::pg_snapshot)::text::bigint <= ${current}
    and (${transactionOf(table)} < pg_snapshot_xmin(${snapshot}::pg_snapshot)
      or pg_visible_in_snapshot(${transactionOf(table)}, ${snapshot}::pg_snapshot)
        and not ${mayHaveChanged([kind], snapshot, sql.ref(`${table}.id`))}))`
