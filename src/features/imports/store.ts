import { type RawBuilder, sql } from 'kysely'
import { setReaders, type Viewer } from '#src/features/visibility/index.ts'
import type { Db } from '#src/platform/database/database.ts'
import { type Json, type JsonPage, readPage, readRecord, utc } from '#src/platform/database/sql.ts'
import { idTime } from '#src/platform/ids.ts'
import type { PageRequest } from '#src/platform/schema/shapes.ts'
import { truncate } from '#src/platform/truncate.ts'
import type { HeldType } from './schema.ts'

export interface ImportCounts {
  created: number
  updated: number
  unchanged: number
  trashed: number
  restored: number
  failed: number
  left_out: number
  conflicts: number
}

/** The data of an import that starts. */
export interface StartedImport {
  id: string
  type: HeldType
  user_email: string | null
  file_name: string | null
  file_bytes: number | null
  counts: ImportCounts
}

export interface ImportProgress {
  bytes_read: number
  counts: ImportCounts
  /** null while nothing has been changed. */
  action_id: string | null
}

/** The process of an import that has not advanced for longer was killed. */
const MAX_SILENCE_SECONDS = 30
const KILLED = 'The import stopped reporting its progress. The service was probably stopped or restarted.'

/** Imports of earlier versions left no rows out. */
const count = (name: keyof ImportCounts) =>
  sql`coalesce((counts ->> ${sql.lit(name)})::int, 0) as ${sql.ref(name)}`

const fields = sql`id, type, state, user_email, file_name, file_bytes, bytes_read, ${count('created')}, ${count('updated')},
  ${count('unchanged')}, ${count('trashed')}, ${count('restored')}, ${count('failed')}, ${count('left_out')},
  ${count('conflicts')}, action_id,
  (select undone_by from actions where actions.id = imports.action_id) as undone_by, error, ${utc('started_at')},
  ${utc('finished_at')}`

/** The reports of notes have texts of private ones, so only who ran such an import sees it. */
const isShownTo = (viewer: Viewer): RawBuilder<unknown> =>
  sql`(type <> 'note' or user_email is not distinct from ${viewer?.email ?? null})`

/** A page of the imports that a user may see, newest first. */
export const listImports = (db: Db, viewer: Viewer, page: PageRequest): Promise<JsonPage> =>
  readPage(db, { table: 'imports', fields, where: [isShownTo(viewer)] }, page)

/** An import with its report; undefined if there is none that the user may see. */
export const readImport = (db: Db, viewer: Viewer, id: string): Promise<Json | undefined> =>
  readRecord(db, { table: 'imports', fields: sql`${fields}, report`, id, where: isShownTo(viewer) })

/**
 * Hides the record of an import from those who may see none of its records.
 * @param action_id the action that has changed them
 */
export async function restrictToReaders(
  transaction: Db,
  id: string,
  action_id: string,
  user_email: string | null,
): Promise<void> {
  const { rows } = await sql<{ readers: string[] | null }>`
    select case when bool_and(private_records.id is not null) then array(
      select distinct reader from activity join private_records on private_records.id = activity.entity_id,
        unnest(readers) reader where activity.action_id = ${action_id}) end as readers
    from activity left join private_records on private_records.id = activity.entity_id
    where activity.action_id = ${action_id}`.execute(transaction)
  const readers = rows[0]?.readers
  if (readers)
    await setReaders(transaction, [{ id, readers: [...readers, ...(user_email ? [user_email] : [])] }])
}

/** Records that an import has started. */
export async function insertImport(db: Db, { counts, ...started }: StartedImport): Promise<void> {
  const row = { ...started, state: 'running', counts: JSON.stringify(counts), started_at: idTime(started.id) }
  await db.insertInto('imports').values(row).execute()
}

/** Records an import's progress, and that it is still running. */
export const advanceImport = (db: Db, id: string, progress: ImportProgress): Promise<void> =>
  update(db, id, progress, sql`state = 'running', error = null, finished_at = null`)

/** Records the result of an import that has read its file. */
export const completeImport = (db: Db, id: string, progress: ImportProgress, report: object): Promise<void> =>
  update(
    db,
    id,
    progress,
    sql`state = 'completed', error = null, report = ${JSON.stringify(report)}::json, finished_at = clock_timestamp()`,
  )

/** Records that an import has ended before the end of its file. */
export const interruptImport = (db: Db, id: string, progress: ImportProgress, error: string): Promise<void> =>
  update(
    db,
    id,
    progress,
    sql`state = 'interrupted', error = ${truncate(error, 1000)}, finished_at = clock_timestamp()`,
  )

async function update(
  db: Db,
  id: string,
  { bytes_read, counts, action_id }: ImportProgress,
  state: RawBuilder<unknown>,
): Promise<void> {
  await sql`
    update imports set ${state}, bytes_read = ${bytes_read}, counts = ${JSON.stringify(counts)}::json,
      action_id = ${action_id}, advanced_at = clock_timestamp()
    where id = ${id}`.execute(db)
}

/** Whether any process is importing. */
export async function isImporting(db: Db): Promise<boolean> {
  const { rows } = await sql<{ running: boolean }>`
    select exists (select from imports where state = 'running') as running`.execute(db)
  return rows[0]?.running ?? false
}

/** Marks imports whose process was killed as interrupted. */
export async function interruptAbandonedImports(db: Db): Promise<void> {
  await sql`
    update imports set state = 'interrupted', error = ${KILLED}, finished_at = advanced_at
    where state = 'running' and advanced_at < clock_timestamp() - make_interval(secs => ${MAX_SILENCE_SECONDS})`.execute(
    db,
  )
}
