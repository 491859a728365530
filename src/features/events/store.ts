import { sql } from 'kysely'
import type { Db } from '#src/platform/database/database.ts'
import { snapshot } from '#src/platform/database/snapshot.ts'
import { utcText } from '#src/platform/database/sql.ts'
import { isLogged, isSince } from './log.ts'
import type { ChangeEvent } from './schema.ts'

/** A new stream begins with the changes of this time: what its client has read may be as old. */
const RECENT_SECONDS = 10
/** More events than this are summed up by kind. */
const MAX_EVENTS = 100
/** A stream that would have to read more entries starts again. */
const MAX_READ = 100_000

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
      ? sql`seq > coalesce((
          select seq from events where at < clock_timestamp() - make_interval(secs => ${RECENT_SECONDS})
          order by seq desc limit 1), 0) and kind <> ''`
      : isSince(previous)
  const events = sql`
    select kind, case when count(*) = count(record_id) and count(distinct record_id) = 1 then min(record_id) end as id,
      count(distinct record_id) + coalesce(sum(records) filter (where record_id is null), 0) as count, action_id,
      (select user_email from actions where actions.id = action_id),
      ${utcText(sql`max(at)`)} as at, readers
    from entries group by kind, action_id, readers, case when action_id is null then record_id end`
  const { rows } = await sql<LoggedEvents & { events: Row[] }>`
    with entries as materialized (
      select kind, record_id, records, action_id, readers, at from events where ${isNew} limit ${MAX_READ + 1})
    select ${snapshot} as snapshot, (select count(*) <= ${MAX_READ} from entries)
        and ${previous === undefined ? sql`true` : isLogged(previous)} as "isComplete",
      coalesce((select json_agg(event) from (${events}) event), '[]') as events`.execute(db)
  const read = rows[0] as LoggedEvents & { events: Row[] }
  return {
    ...read,
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
