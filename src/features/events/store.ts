import { type RawBuilder, sql } from 'kysely'
import type { Db } from '#src/platform/database/database.ts'
import { utcText } from '#src/platform/database/sql.ts'
import {
  isLogged,
  isSince,
  snapshot,
  type TransactionLog,
  trimLog,
} from '#src/platform/database/transaction-log.ts'
import type { ChangeEvent, EventKind } from './schema.ts'

/** An entry is what one statement has changed, so even during imports this covers minutes. */
export const EVENT_LOG_LENGTH = 5000
const EVENT_LOG: TransactionLog = {
  table: 'change_events',
  length: EVENT_LOG_LENGTH,
  marker: (xid) => sql`insert into change_events (xid, kind, records) select ${xid}, '', 0`,
}
/** A new stream begins with the changes of this time: what its client has read may be as old. */
const RECENT_SECONDS = 10
/** More events than this are summed up by kind. */
const MAX_EVENTS = 100
/** A stream that would have to read more starts again. */
const MAX_READ = 10_000

/** An event, and to whom it is sent. */
export interface LoggedEvent {
  event: ChangeEvent
  /** The only users it is sent to; null: everyone. */
  readers: string[] | null
}

export interface LoggedEvents {
  /** What to read from the next time. */
  snapshot: string
  /** Whether the log has all changes. */
  isComplete: boolean
  events: LoggedEvent[]
}

type Row = ChangeEvent & Pick<LoggedEvent, 'readers'>

/**
 * The changes since a snapshot.
 * @param previous undefined: those of the last seconds
 */
export async function readEvents(db: Db, previous: string | undefined): Promise<LoggedEvents> {
  const isNew =
    previous === undefined
      ? sql`change_events.at > clock_timestamp() - make_interval(secs => ${RECENT_SECONDS})`
      : isSince(previous)
  const events = sql`
    select kind, case when count(*) = count(record_id) and count(distinct record_id) = 1 then min(record_id) end as id,
      case when count(*) = count(record_id) and count(distinct record_id) = 1 then 1 else sum(records) end as count, action_id,
      (select user_email from actions where actions.id = action_id),
      ${utcText(sql`max(at)`)} as at, readers
    from change_events where ${isNew} and kind <> ''
    group by kind, action_id, readers, case when action_id is null then record_id end`
  const { rows } = await sql<{ snapshot: string; isComplete: boolean; events: Row[] }>`
    select ${snapshot} as snapshot, ${previous === undefined ? sql`true` : isLogged(EVENT_LOG, previous)} as "isComplete",
      coalesce((select json_agg(event) from (${events} limit ${MAX_READ + 1}) event), '[]') as events`.execute(
    db,
  )
  const read = rows[0] as { snapshot: string; isComplete: boolean; events: Row[] }
  return {
    ...read,
    isComplete: read.isComplete && read.events.length <= MAX_READ,
    events: summedUp(read.events).map(({ readers, ...event }) => ({ event, readers })),
  }
}

/** Many events become one for each kind and those who may see them. */
function summedUp(events: Row[]): Row[] {
  if (events.length <= MAX_EVENTS) return events
  const sums = new Map<string, Row>()
  for (const event of events) {
    const key = JSON.stringify([event.kind, event.readers])
    const sum = sums.get(key) ?? { ...event, id: null, count: 0, action_id: null, user_email: null }
    sum.count += event.count
    if (event.at > sum.at) sum.at = event.at
    sums.set(key, sum)
  }
  return [...sums.values()]
}

/**
 * Whether records of these kinds may have changed since a snapshot: the log does not go back forever.
 * @param id only this record
 */
export const mayHaveChanged = (kinds: readonly EventKind[], previous: string, id?: RawBuilder<unknown>) => {
  const changes = sql`change_events where ${isSince(previous)} and kind = any(${kinds})`
  const isChanged = id
    ? sql`exists (select from ${changes} and record_id is null)
        or ${id} in (select record_id from ${changes} and record_id is not null)`
    : sql`exists (select from ${changes})`
  return sql`(not ${isLogged(EVENT_LOG, previous)} or ${isChanged})`
}

/** Removes events that no stream needs. */
export const trimEvents = (db: Db): Promise<void> => trimLog(db, EVENT_LOG)

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
