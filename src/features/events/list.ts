import { sql } from 'kysely'
import { canSee, type Viewer } from '#src/features/visibility/index.ts'
import type { Db } from '#src/platform/database/database.ts'
import { snapshot } from '#src/platform/database/snapshot.ts'
import { type Json, listJson } from '#src/platform/database/sql.ts'
import { Gone, InvalidInput } from '#src/platform/errors.ts'
import { siblingId } from '#src/platform/ids.ts'
import { shown } from '#src/platform/schema/describe-error.ts'
import { type EventQuery, MAX_EVENTS_LIMIT } from './list-schema.ts'
import { EVENT_LOG_DAYS, isMarker } from './log.ts'
import type { EventRecords } from './records.ts'
import { type EventRow, isPosition, readEventRows } from './rows.ts'
import { EVENT_TYPES, type EventKind } from './schema.ts'

/**
 * The events since a cursor that a caller may see, in order, with their records as they are now.
 * @throws InvalidInput if `after` is no cursor, Gone if the log no longer has all events since
 */
export async function listEvents(
  db: Db,
  viewer: Viewer,
  readers: EventRecords,
  { after, types, limit = MAX_EVENTS_LIMIT }: EventQuery,
): Promise<{ events: Json; next: string }> {
  if (after === 'now') return { events: '[]', next: cursorOf(await readNow(db)) }
  const position = after === undefined ? await readStart(db) : parseCursor(after)
  const email = viewer?.email ?? null
  const page = await readEventRows(db, position, limit, [
    sql`activity_id is not null`,
    ...(types ? [sql`type = any(${typesOf([types].flat())})`] : []),
    sql`(readers is null or coalesce(${email}::text = any(readers), false))`,
    canSee(viewer, sql`events.record_id`),
  ])
  if (after !== undefined && !page.isComplete)
    throw new Gone(
      `The log of events no longer has all events since this cursor: it keeps ${EVENT_LOG_DAYS} days, and starts again when the database is restored on another server. Get a new cursor with after=now, then read all records again.`,
    )
  return { events: await describe(db, viewer, readers, page.rows), next: cursorOf(page.snapshot) }
}

const cursorOf = (position: string): string => Buffer.from(position).toString('base64url')

function parseCursor(text: string): string {
  const position = Buffer.from(text, 'base64url').toString()
  if (isPosition(position)) return position
  throw new InvalidInput(
    `after must be the \`next\` of an earlier answer, or now; leave it out for the oldest events, not ${shown(text)}.`,
  )
}

async function readNow(db: Db): Promise<string> {
  const { rows } = await sql<{ snapshot: string }>`select ${snapshot} as snapshot`.execute(db)
  return (rows[0] as { snapshot: string }).snapshot
}

/** The snapshot that shows all transactions whose entries may have been removed. */
async function readStart(db: Db): Promise<string> {
  const { rows } = await sql<{ xid: string }>`
    select max(xid)::text::bigint + 1 as xid from events where ${isMarker}`.execute(db)
  const { xid } = rows[0] as { xid: string }
  return `${xid}:${xid}:`
}

/** `deal.*` means all types of deals. */
const typesOf = (types: readonly string[]): string[] =>
  types.flatMap((type) =>
    type.endsWith('.*') ? EVENT_TYPES.filter((known) => known.startsWith(type.slice(0, -1))) : [type],
  )

/** The events as the API shows them. Records are read by kind, and changes together. */
async function describe(db: Db, viewer: Viewer, readers: EventRecords, rows: EventRow[]): Promise<Json> {
  if (rows.length === 0) return '[]'
  const changes = await readChanges(db, rows)
  const records = new Map<string, Json>()
  for (const [kind, ids] of idsByKind(rows))
    for (const [id, record] of (await readers[kind]?.(db, viewer, ids)) ?? []) records.set(id, record)
  return listJson(
    rows.map(({ kind, type, record_id, activity_id, action_id, user_email, via, at }) => {
      const event = { id: siblingId('evt', activity_id as string), type, at, action_id, user_email, via }
      const about = JSON.stringify({ entity: kind, id: record_id }).slice(0, -1)
      const record = records.get(record_id as string) ?? 'null'
      const changed = changes.get(activity_id as string) ?? 'null'
      return `${JSON.stringify(event).slice(0, -1)},"data":${about},"record":${record},"changes":${changed}}}`
    }),
  )
}

/** What activity records say about changes, by id. Long values are shortened. */
async function readChanges(db: Db, rows: EventRow[]): Promise<Map<string, Json>> {
  const { rows: found } = await sql<{ id: string; changes: Json }>`
    select id, (case when octet_length(changes::text) > 2048 then shorten_changes(changes) else changes end)::text as changes
    from activity where id = any(${rows.map(({ activity_id }) => activity_id)}) and changes is not null`.execute(
    db,
  )
  return new Map(found.map(({ id, changes }) => [id, changes]))
}

function idsByKind(rows: EventRow[]): Map<EventKind, string[]> {
  const ids = new Map<EventKind, Set<string>>()
  for (const { kind, record_id } of rows) ids.set(kind, (ids.get(kind) ?? new Set()).add(record_id as string))
  return new Map([...ids].map(([kind, set]) => [kind, [...set]]))
}
