import { type RawBuilder, sql } from 'kysely'
import { decisionFields } from '#src/features/decisions/index.ts'
import { type FileRecord, fileFields, listedTo as fileListedTo } from '#src/features/files/index.ts'
import { recordsLinkedTo } from '#src/features/links/index.ts'
import { listedTo, noteFields } from '#src/features/notes/index.ts'
import { isListedTask, type Task, taskFields } from '#src/features/tasks/index.ts'
import type { Viewer } from '#src/features/visibility/index.ts'
import type { Db } from '#src/platform/database/database.ts'
import { all, utcText } from '#src/platform/database/sql.ts'
import type { Cursor } from './cursor.ts'
import { MAX_SHOWN_BODY_LENGTH, type TimelineEntry } from './schema.ts'

/** Records at the same time are in the order of their ids. */
const isBefore = (time: RawBuilder<unknown>, id: RawBuilder<unknown>, cursor: Cursor | undefined) =>
  cursor ? [sql`(${time}, ${id}) < (${cursor.at}::timestamptz, ${cursor.id})`] : []

/**
 * The notes about records, or in which people among these took part, last first, without replies and those that the viewer
 * cannot see.
 */
export async function readNotes(
  db: Db,
  viewer: Viewer,
  ids: readonly string[],
  kinds: readonly string[],
  cursor: Cursor | undefined,
  limit: number,
): Promise<TimelineEntry[]> {
  if (kinds.length === 0) return []
  const where = all([
    sql`notes.id in (${recordsLinkedTo(['about', 'participants'], ids)})`,
    sql`parent_id is null`,
    sql`kind = any(${[...kinds]})`,
    ...listedTo(viewer),
    ...isBefore(sql`happened_at`, sql`notes.id`, cursor),
  ])
  const { rows } = await sql<{ note: NonNullable<TimelineEntry['note']>; name: string; long: boolean }>`
    select (select row_to_json(shown) from (
        select ${noteFields} from (
          select page.id, page.kind, page.title, left(page.body, ${sql.lit(MAX_SHOWN_BODY_LENGTH)}) as body,
            page.happened_at, page.mentions, page.pinned, page.parent_id, page.visibility, page.author_email,
            page.source, page.created_at, page.updated_at) notes) shown) as note,
      note_name(title, body) as name, char_length(body) > ${sql.lit(MAX_SHOWN_BODY_LENGTH)} as long
    from (select id from notes where ${where} order by happened_at desc, id desc limit ${limit}) found
      join notes page using (id)
    order by happened_at desc, id desc`.execute(db)
  return rows.map(({ note, name, long }) => ({
    id: note.id,
    kind: note.kind,
    at: note.happened_at,
    user_email: note.author_email,
    title: name,
    via: null,
    entity_type: 'note',
    entity_id: note.id,
    entity_name: name,
    note: { ...note, ...(long && { truncated: true }) },
    pinned: note.pinned,
  }))
}

/** The tasks about records, last first: a task is at the time when it was finished, or when it was created while it is open. */
export async function readTasks(
  db: Db,
  ids: readonly string[],
  cursor: Cursor | undefined,
  limit: number,
): Promise<TimelineEntry[]> {
  const time = sql`date_trunc('milliseconds', coalesce(done_at, created_at))`
  const where = all([
    sql`tasks.id in (${recordsLinkedTo(['about'], ids)})`,
    isListedTask,
    ...isBefore(time, sql`tasks.id`, cursor),
  ])
  const { rows } = await sql<{ task: Task }>`
    select row_to_json(task) as task from (
      select ${taskFields} from tasks where ${where} order by ${time} desc, tasks.id desc limit ${limit}) task
    order by coalesce(done_at, created_at) desc, id desc`.execute(db)
  return rows.map(({ task }) => ({
    id: task.id,
    kind: 'task',
    at: task.done_at ?? task.created_at,
    user_email: task.done_at ? task.done_by : task.author_email,
    title: task.title,
    via: null,
    entity_type: 'task',
    entity_id: task.id,
    entity_name: task.title,
    task,
  }))
}

/**
 * The versions of files about records that the viewer can see, last first: each is at the time when it was uploaded. Those
 * after the version that a file shows were undone.
 */
export async function readFiles(
  db: Db,
  viewer: Viewer,
  ids: readonly string[],
  cursor: Cursor | undefined,
  limit: number,
): Promise<TimelineEntry[]> {
  const entryId = sql`(case when content.version = current_files.version then current_files.id
    else current_files.id || '.' || content.version end collate "C")`
  const where = all([
    sql`current_files.id in (${recordsLinkedTo(['about'], ids)})`,
    ...fileListedTo(viewer),
    sql`content.version <= current_files.version`,
    ...isBefore(sql`content.uploaded_at`, entryId, cursor),
  ])
  const { rows } = await sql<{
    id: string
    file: FileRecord
    version: number
    at: string
    user_email: string | null
  }>`
    select found.id, (select row_to_json(shown) from (
        select ${fileFields} from current_files where current_files.id = found.file_id) shown) as file,
      version, ${utcText(sql`uploaded_at`)} as at, user_email
    from (
      select ${entryId} as id, current_files.id as file_id, content.version, content.uploaded_at,
        content.uploaded_by as user_email
      from current_files join file_versions content on content.file_id = current_files.id where ${where}
      order by content.uploaded_at desc, 1 desc limit ${limit}) found
    order by uploaded_at desc, id desc`.execute(db)
  return rows.map(({ id, file, version, at, user_email }) => ({
    id,
    kind: 'file',
    at,
    user_email,
    title: version > 1 ? `Version ${version} of ${file.name}` : file.name,
    via: null,
    entity_type: 'file',
    entity_id: file.id,
    entity_name: file.name,
    file,
    file_version: version,
  }))
}

const OUTCOME_TITLES = { invest: 'Invest', pass: 'Pass', track: 'Track', hold: 'Hold' }

/** The decisions on a company, or on a deal, last first. */
export async function readDecisions(
  db: Db,
  column: 'company_id' | 'deal_id',
  id: string,
  cursor: Cursor | undefined,
  limit: number,
): Promise<TimelineEntry[]> {
  const time = sql`date_trunc('milliseconds', coalesce(decided_at, created_at))`
  const where = all([sql`${sql.ref(column)} = ${id}`, ...isBefore(time, sql`decisions.id`, cursor)])
  const { rows } = await sql<{ decision: NonNullable<TimelineEntry['decision']> }>`
    select row_to_json(decision) as decision from (
      select ${decisionFields} from decisions where ${where} order by ${time} desc, decisions.id desc limit ${limit}) decision
    order by coalesce(decided_at, created_at) desc, id desc`.execute(db)
  return rows.map(({ decision }) => ({
    id: decision.id,
    kind: 'decision',
    at: decision.decided_at ?? decision.created_at,
    user_email: decision.author_email,
    title: decision.outcome ? OUTCOME_TITLES[decision.outcome] : 'Open decision',
    via: null,
    entity_type: 'decision',
    entity_id: decision.id,
    entity_name: decision.company_name,
    decision,
  }))
}
