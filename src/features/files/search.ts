import { type RawBuilder, sql } from 'kysely'
import { passageOf, searchedWords, wordsQuery } from '#src/features/notes/index.ts'
import type { Db } from '#src/platform/database/database.ts'
import { yieldToEventLoop } from '#src/platform/event-loop.ts'

/** Passages of a file that a search shows. */
const MAX_MATCHES = 3
/** Files whose texts are read at a time: a page may have 100,000 characters. */
const BATCH = 25

/** A page with words that were found. */
export interface FileMatch {
  page: number
  /** Plain text around the first of them. */
  text: string
}

/** The condition that a file has words that begin with all words of a search, in its name or on one of its pages. */
export function fileSearch(search: string): RawBuilder<unknown> {
  const query = wordsQuery(search)
  if (!query) return sql`false`
  return sql`((current_files.id, current_files.version) in (
    select id, version from files where search_words(name) @@ ${query}
    union all
    select file_id, version from file_pages where search_words @@ ${query}))`
}

/** The first pages of files with the words of a search, and the text around them, by the ids of the files. */
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
        select page, text from file_pages
        where file_id = files.id and file_pages.version = files.version and search_words @@ ${query}
        order by page limit ${limit}) found
      where files.id = any(${ids.slice(start, start + BATCH)}) order by files.id, found.page`.execute(db)
    for (const { id, page, text } of rows) {
      matches.get(id)?.push({ page, text: passageOf(text, words, oneLine).text })
      await yieldToEventLoop()
    }
  }
  return matches
}

const oneLine = (text: string): string => text.replace(/\s+/g, ' ').trim()
