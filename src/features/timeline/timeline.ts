import { type RawBuilder, sql } from 'kysely'
import { orTrashed, readMerged } from '#src/features/trash/index.ts'
import type { Viewer } from '#src/features/visibility/index.ts'
import type { Db } from '#src/platform/database/database.ts'
import { idsOf } from '#src/platform/ids.ts'
import { entriesOf } from './changes.ts'
import { byPlace, readCursor, writeCursor } from './cursor.ts'
import { readFolds, type Scope } from './ledger.ts'
import { readDecisions, readFiles, readNotes, readTasks } from './records.ts'
import { TIMELINE_KINDS, type Timeline, type TimelineQuery } from './schema.ts'

const TABLES = { company: 'companies', deal: 'dealflow', person: 'people', thesis: 'theses' } as const
export type TimelineType = keyof typeof TABLES

const NOTE_KINDS = ['note', 'call', 'meeting', 'email']

/**
 * A page of a record's timeline, newest first.
 * @throws NotFound if there is no such record, or if it is in the trash. Moved if it is part of another one. InvalidInput for
 *   a wrong cursor
 */
export async function readTimeline(
  db: Db,
  viewer: Viewer,
  type: TimelineType,
  id: string,
  { before, kinds: requested = [], limit = 50 }: TimelineQuery,
): Promise<Timeline> {
  const cursor = before === undefined ? undefined : readCursor(before)
  await requireRecord(db, type, id)
  const kinds = requested.length > 0 ? [requested].flat() : [...TIMELINE_KINDS]
  // One more shows whether there is a next page.
  const most = limit + 1
  const merged = type === 'company' || type === 'person' ? await readMerged(db, id) : []
  const { folds, top } = await readFolds(db, scopeOf(type, [id, ...merged], kinds), cursor, most)
  const about = type === 'company' ? [id, ...(await readDeals(db, id))] : [id]
  const noteKinds = NOTE_KINDS.filter((kind) => kinds.includes(kind))
  const notes = await readNotes(db, viewer, about, noteKinds, cursor, most)
  const tasks = kinds.includes('task') ? await readTasks(db, about, cursor, most) : []
  const files = kinds.includes('file') ? await readFiles(db, viewer, about, cursor, most) : []
  const column = type === 'company' ? 'company_id' : type === 'deal' ? 'deal_id' : undefined
  const decisions =
    column && kinds.includes('decision') ? await readDecisions(db, column, id, cursor, most) : []
  const records = [...notes, ...tasks, ...files, ...decisions]
  const found = [...folds, ...records].sort(byPlace)
  const page = found.slice(0, limit)
  const shown = new Set(idsOf(page))
  const entries = await entriesOf(
    db,
    folds.filter((fold) => shown.has(fold.id)),
  )
  const last = page.at(-1)
  return {
    data: [...entries, ...records.filter((record) => shown.has(record.id))].sort(byPlace),
    next: last && found.length > limit ? writeCursor({ at: last.at, id: last.id, top }) : null,
  }
}

async function requireRecord(db: Db, type: TimelineType, id: string): Promise<void> {
  const { rows } = await sql`select id from ${sql.table(TABLES[type])} where id = ${id}`.execute(db)
  await orTrashed(db, rows[0], type, id)
}

const readDeals = async (db: Db, company_id: string): Promise<string[]> =>
  idsOf(await db.selectFrom('dealflow').select('id').where('company_id', '=', company_id).execute())

/** Decisions, notes, tasks, and files are entries of their own, so their activity is left out. */
function scopeOf(type: TimelineType, ids: readonly string[], kinds: readonly string[]): Scope {
  const isOfKind: [kind: string, condition: RawBuilder<unknown>][] = [
    ['deal', sql`entity_type = 'dealflow'`],
    ['score', sql`activity_type = 'company_scored'`],
    ['change', sql`(entity_type <> 'dealflow' and activity_type <> 'company_scored')`],
  ]
  const wanted = isOfKind.filter(([kind]) => kinds.includes(kind)).map(([, condition]) => condition)
  const conditions =
    wanted.length === isOfKind.length
      ? []
      : [wanted.length === 0 ? sql`false` : sql`(${sql.join(wanted, sql` or `)})`]
  return type === 'company'
    ? {
        column: 'company_id',
        ids,
        conditions: [sql`entity_type in ('company', 'dealflow', 'person')`, ...conditions],
      }
    : { column: 'entity_id', ids, conditions }
}
