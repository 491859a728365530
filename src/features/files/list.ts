import { type RawBuilder, sql } from 'kysely'
import { canSeeInList } from '#src/features/visibility/index.ts'
import type { Db } from '#src/platform/database/database.ts'
import { all, isOneOf, type JsonPage, jsonArray, readPage, utc } from '#src/platform/database/sql.ts'
import { type FilterCaller, filterConditions, sortOrder } from '#src/platform/filter/query.ts'
import { idsOf } from '#src/platform/ids.ts'
import type { PageRequest } from '#src/platform/schema/shapes.ts'
import { pageOf } from '#src/platform/schema/shapes.ts'
import { fileSearchFields, isFileAbout, typeOfFile } from './fields.ts'
import {
  type FileFilters,
  type FileQuery,
  type FileRecord,
  type ListedFile,
  MAX_MATCHED_FILES,
} from './schema.ts'
import { fileSearch, findMatches } from './search.ts'
import { fileFields, foundFields, listedTo } from './store.ts'

/** A page of files, last uploaded first. @throws InvalidInput for a filter, or a field to sort by, that is wrong */
export async function listFiles(
  db: Db,
  caller: FilterCaller,
  { sort, limit, offset, ...filters }: FileQuery,
): Promise<JsonPage> {
  const { search } = filters
  const where = all(await fileConditions(caller, filters))
  const order = sortOrder(sort, fileSearchFields) ?? sql`order by uploaded_at desc, id desc`
  const page = pageOf({ limit, offset })
  // A search finds all files that match, so that they are counted on the way.
  const total = search ? sql`count(*) over ()` : sql`null::int8`
  // The files of the page are found first: what they are about is read for them alone.
  const fields = sql`select ${fileFields} from current_files where id in (select id from found) ${order}`
  const { rows } = await sql<JsonPage>`
    with found as materialized (
      select id, ${total} as total from current_files where ${where} ${order} limit ${page.limit} offset ${page.offset})
    select (${jsonArray(fields)}) as records,
      coalesce((select max(total) from found), (select count(*) from current_files where ${where}))::float8 as total`.execute(
    db,
  )
  return search ? withMatches(db, rows[0] as JsonPage, search) : (rows[0] as JsonPage)
}

/** Adds the pages that a search found to each file of a page. */
async function withMatches(db: Db, { records, total }: JsonPage, search: string): Promise<JsonPage> {
  const files: FileRecord[] = JSON.parse(records)
  const matches = await findMatches(db, idsOf(files.slice(0, MAX_MATCHED_FILES)), search)
  const listed: ListedFile[] = files.map((file) => ({ ...file, matches: matches.get(file.id) ?? [] }))
  return { records: JSON.stringify(listed), total }
}

/** The conditions of a list. @throws InvalidInput for a filter that is wrong */
async function fileConditions(
  caller: FilterCaller,
  { search, about, type, uploaded_by, visibility, filter }: FileFilters,
): Promise<RawBuilder<unknown>[]> {
  const where = [
    ...listedTo(caller.email === null ? null : { email: caller.email }, canSeeInList),
    ...(await filterConditions(filter, fileSearchFields, caller)),
  ]
  if (search) where.push(fileSearch(search))
  if (about) where.push(isFileAbout([about].flat()))
  if (type) where.push(sql`${typeOfFile} = any(${[type].flat()}::text[])`)
  if (uploaded_by) where.push(isOneOf('uploaded_by', uploaded_by))
  if (visibility) where.push(isOneOf('visibility', visibility))
  return where
}

/** A page of the versions of a file, newest first. */
export const listVersions = (db: Db, file_id: string, page: PageRequest): Promise<JsonPage> =>
  readPage(
    db,
    {
      table: 'file_versions',
      fields: sql`version, type, size::float8 as size, sha256, uploaded_by, ${utc('uploaded_at')}, scan_state, text_state,
        ${foundFields}`,
      where: [sql`file_id = ${file_id}`],
      order: sql`order by version desc`,
    },
    page,
  )
