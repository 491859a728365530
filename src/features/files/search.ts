import { type RawBuilder, sql } from 'kysely'
import { aboutOf } from '#src/features/activity/index.ts'
import { passageOf, searchedWords, wordsQuery } from '#src/features/notes/index.ts'
import type { Viewer } from '#src/features/visibility/index.ts'
import type { Db } from '#src/platform/database/database.ts'
import { all } from '#src/platform/database/sql.ts'
import { yieldToEventLoop } from '#src/platform/event-loop.ts'
import { idsOf } from '#src/platform/ids.ts'
import { type Format, formatOf } from './extraction/types.ts'
import { type ListedFile, MAX_MATCHES } from './schema.ts'
import { isReadable, listedTo } from './store.ts'

/** Files whose texts are read at a time: a page may have 100,000 characters. */
const BATCH = 25

type FileMatch = NonNullable<ListedFile['matches']>[number]

/** The condition that a file has words that begin with all words of a search, in its name or on one of its pages. */
export function fileSearch(search: string): RawBuilder<unknown> {
  const query = wordsQuery(search)
  if (!query) return sql`false`
  return sql`((current_files.id, current_files.version) in (
    select id, version from files where search_words(name) @@ ${query}
    union all
    select file_id, version from file_pages join file_versions using (file_id, version)
      where search_words @@ ${query} and ${isReadable}))`
}

/**
 * The first pages of files with the words of a search, and the text around them, by the ids of the files. `offset 0` keeps
 * PostgreSQL from reading all pages with the words from their index again for each file.
 */
export async function findMatches(
  db: Db,
  ids: readonly string[],
  search: string,
  limit = MAX_MATCHES,
): Promise<Map<string, FileMatch[]>> {
  const query = wordsQuery(search)
  const words = searchedWords(search)
  const matches = new Map<string, FileMatch[]>(ids.map((id) => [id, []]))
  if (!query) return matches
  for (let start = 0; start < ids.length; start += BATCH) {
    const { rows } = await sql<FileMatch & { id: string }>`
      select files.id, found.page, found.text from files cross join lateral (
        select page, text from (
          select page, text, search_words from file_pages join file_versions using (file_id, version)
          where file_id = files.id and version = files.version and ${isReadable} order by page offset 0) pages
        where search_words @@ ${query} order by page limit ${limit}) found
      where files.id = any(${ids.slice(start, start + BATCH)}) order by files.id, found.page`.execute(db)
    for (const { id, page, text } of rows) {
      matches.get(id)?.push({ page, text: passageOf(text, words, oneLine).text })
      await yieldToEventLoop()
    }
  }
  return matches
}

const oneLine = (text: string): string => text.replace(/\s+/g, ' ').trim()

/** A file that was found by its words. */
interface FoundFile extends Pick<ListedFile, 'id' | 'name' | 'visibility' | 'about'> {
  /** The first page with the words, and the text around them; null: only the name has them. */
  passage: string | null
  /** That page. */
  page: number | null
}

/** A few of the files that a search finds, the last upload first. */
export async function findFiles(db: Db, viewer: Viewer, search: string, limit: number): Promise<FoundFile[]> {
  const order = sql`order by uploaded_at desc, id desc`
  const { rows } = await sql<Omit<FoundFile, 'passage' | 'page'> & Pick<ListedFile, 'type' | 'pages'>>`
    select id, name, visibility, type, pages, ${aboutOf(sql`current_files.id`)} as about from (
      select * from current_files where ${all([...listedTo(viewer), fileSearch(search)])} ${order} limit ${limit}) current_files
    ${order}`.execute(db)
  const matches = await findMatches(db, idsOf(rows), search, 1)
  return rows.map(({ type, pages, ...file }) => {
    const match = matches.get(file.id)?.[0]
    return { ...file, passage: passageIn(type, pages, match), page: match?.page ?? null }
  })
}

const UNITS: Partial<Record<Format, string>> = { presentation: 'Slide', workbook: 'Sheet' }

function passageIn(type: string, pages: number | null, match: FileMatch | undefined): string | null {
  if (!match) return null
  const format = formatOf(type)
  return pages === 1 ? match.text : `${(format && UNITS[format]) ?? 'Page'} ${match.page}: ${match.text}`
}
