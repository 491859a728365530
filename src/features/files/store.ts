import { type RawBuilder, sql } from 'kysely'
import { aboutOf } from '#src/features/activity/index.ts'
import { isListed, type Links, readLinks } from '#src/features/links/index.ts'
import { lockedRows } from '#src/features/trash/index.ts'
import { canSee, type Viewer } from '#src/features/visibility/index.ts'
import type { Db } from '#src/platform/database/database.ts'
import { all, type Json, precompile, utc } from '#src/platform/database/sql.ts'
import { previewOf } from './file-types.ts'
import type { FileRecord } from './schema.ts'
import type { FileVersionsTable } from './table.ts'

const id = sql`current_files.id`

/** Whether the content of a version may be seen, also its text: it has been scanned, or is not. */
export const isReadable = sql`scan_state in ('off', 'clean')`

/** Fields of a content as the API shows them, from `current_files` or `file_versions`. */
export const foundFields = sql`scan_detail,
  case when ${isReadable} then text_detail end as text_detail, case when ${isReadable} then pages end as pages,
  case when ${isReadable} then ${previewOf(sql`type`)} end as preview`

/** Whether any version of a file is infected, not only the one that is shown: deleting the file removes all of them. */
const hasInfected = (file_id: RawBuilder<unknown>) =>
  sql`exists (select from file_versions where file_id = ${file_id} and scan_state = 'infected')`

/** A file's fields as the API shows them, from `current_files`. */
export const fileFields = precompile(sql`current_files.id, name, type, size::float8 as size, sha256, version,
  (select count(*)::int from file_versions where file_versions.file_id = ${id}) as versions,
  ${aboutOf(id)} as about, visibility, uploaded_by, ${utc('uploaded_at')}, ${utc('created_at')}, ${utc('updated_at')}, scan_state, text_state,
  ${foundFields}, case when ${isReadable} then details end as details, ${hasInfected(id)} as has_infected_version`)

/** The conditions that lists, searches and exports have in common. */
export const listedTo = (viewer: Viewer, isSeen = canSee): RawBuilder<unknown>[] => [
  isSeen(viewer, id),
  isListed(id),
]

/** The file; undefined if the viewer cannot see it, or if all that it is about is in the trash. */
export async function readFile(db: Db, viewer: Viewer, file_id: string): Promise<Json | undefined> {
  const { rows } = await sql<{ record: Json }>`
    select row_to_json(record)::text as record from (
      select ${fileFields} from current_files where ${all([sql`${id} = ${file_id}`, ...listedTo(viewer)])}) record`.execute(
    db,
  )
  return rows[0]?.record
}

/** A file as stored, without its content. */
export interface StoredFile
  extends Pick<
    FileRecord,
    'id' | 'name' | 'version' | 'visibility' | 'uploaded_by' | 'created_at' | 'updated_at'
  > {
  links: Links
}

const storedFields = sql`id, name, version, visibility, uploaded_by, ${utc('created_at')}, ${utc('updated_at')}`

async function withLinks(db: Db, rows: Omit<StoredFile, 'links'>[]): Promise<StoredFile[]> {
  const links = await readLinks(
    db,
    rows.map((file) => file.id),
  )
  return rows.map((file) => ({ ...file, links: links.get(file.id) ?? {} }))
}

/** The files that are not in the trash, locked until the transaction ends. */
export async function lockFiles(transaction: Db, ids: readonly string[]): Promise<StoredFile[]> {
  const { rows } = await sql<StoredFile>`
    select ${storedFields} from files where id = any(${[...ids]}) order by id for no key update`.execute(
    transaction,
  )
  return withLinks(transaction, rows)
}

/** The files in the trash, locked until the transaction ends. Their links can be written. */
export async function lockTrashedFiles(transaction: Db, ids: readonly string[]): Promise<StoredFile[]> {
  const { rows } = await sql<StoredFile>`
    select ${storedFields} from (${lockedRows('file', 'files', ids)}) files`.execute(transaction)
  return withLinks(transaction, rows)
}

/** A file that is not in the trash, also if nobody sees it because all that it is about is there. */
export async function readStoredFile(db: Db, file_id: string): Promise<StoredFile | undefined> {
  const { rows } = await sql<StoredFile>`select ${storedFields} from files where id = ${file_id}`.execute(db)
  return (await withLinks(db, rows))[0]
}

export async function insertFile(
  transaction: Db,
  { links: _links, created_at, updated_at, ...file }: StoredFile,
): Promise<void> {
  await transaction
    .insertInto('files')
    .values({ ...file, created_at: new Date(created_at), updated_at: new Date(updated_at) })
    .execute()
}

/** The fields of a file that can be changed. */
export type FileFields = Partial<Pick<StoredFile, 'name' | 'version' | 'visibility' | 'uploaded_by'>>

/** Overwrites fields of a file. */
export async function writeFile(
  transaction: Db,
  file_id: string,
  { name, version, visibility, uploaded_by, updated_at }: FileFields & { updated_at: string },
): Promise<void> {
  await transaction
    .updateTable('files')
    .set({
      ...(name !== undefined && { name }),
      ...(version !== undefined && { version }),
      ...(visibility !== undefined && { visibility }),
      ...(uploaded_by !== undefined && { uploaded_by }),
      updated_at: new Date(updated_at),
    })
    .where('id', '=', file_id)
    .execute()
}

export async function isInfected(db: Db, file_id: string): Promise<boolean> {
  const { rows } = await sql<{ found: boolean }>`select ${hasInfected(sql`${file_id}`)} as found`.execute(db)
  return rows[0]?.found === true
}

/**
 * Who uploaded files, also those in the trash. One with an infected version belongs to no one: moving it to the trash and back
 * takes the permission to delete files of others.
 */
export async function readOwners(db: Db, ids: readonly string[]): Promise<(string | null)[]> {
  const { rows } = await sql<{ owner: string | null }>`
    select case when not ${hasInfected(sql`file.id`)} then file.uploaded_by end as owner from (
      select id, uploaded_by from files where id = any(${[...ids]})
      union all select id, content -> 'record' ->> 'uploaded_by' from trash
        where id = any(${[...ids]}) and entity_type = 'file') file`.execute(db)
  return rows.map(({ owner }) => owner)
}

/** A version without what is read from it later. */
export interface NewVersion
  extends Pick<
    FileVersionsTable,
    'object_key' | 'type' | 'sha256' | 'uploaded_by' | 'scan_state' | 'text_state'
  > {
  size: number
}

/** Stores a version of a file. @returns its number, one more than that of the last one */
export async function insertVersion(
  transaction: Db,
  file_id: string,
  { object_key, type, size, sha256, uploaded_by, scan_state, text_state }: NewVersion,
): Promise<number> {
  const { rows } = await sql<{ version: number }>`
    insert into file_versions (file_id, version, object_key, type, size, sha256, uploaded_by, uploaded_at, scan_state, text_state)
    select ${file_id}, coalesce(max(version), 0) + 1, ${object_key}, ${type}, ${size}::bigint, ${sha256}, ${uploaded_by},
      date_trunc('milliseconds', clock_timestamp()), ${scan_state}, ${text_state}
    from file_versions where file_id = ${file_id}
    returning version`.execute(transaction)
  return (rows[0] as { version: number }).version
}

/** The keys of the objects of files, also of those in the trash, by the ids of the files. */
export async function readObjectKeys(db: Db, ids: readonly string[]): Promise<Map<string, string[]>> {
  const { rows } = await sql<{ file_id: string; keys: string[] }>`
    select file_id, array_agg(object_key) as keys from file_versions where file_id = any(${[...ids]})
    group by file_id`.execute(db)
  return new Map(rows.map(({ file_id, keys }) => [file_id, keys]))
}
