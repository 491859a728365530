import { sql } from 'kysely'
import { createRandom } from '#src/cli/demo/random.ts'
import { openDatabase } from '#src/platform/database/open.ts'
import { newId } from '#src/platform/ids.ts'
import type { Place } from './load.ts'
import type { Operation } from './operations.ts'
import { alone, few } from './options.ts'

const BATCH = 100
const PAGES = 20
/** About 1.5 KB of text. */
const WORDS_PER_PAGE = 200
const VOCABULARY = 20_000
/** On every other page. */
const COMMON_WORD = 'revenue'
/** On one page of a file in a thousand. */
const RARE_WORDS = ['turbine', 'sewage', 'dentist', 'harbor', 'violin']
const RARE_EVERY = 1000

const next = createRandom(43)

/** Words of a few syllables. A few are on most pages, most on few, as in any language. */
function word(): string {
  const rank = Math.floor(VOCABULARY * next() ** 3)
  return rank.toString(5).replace(/./g, (digit) => ['ba', 'ke', 'mi', 'to', 'lu'][Number(digit)] ?? '')
}

const pageText = (file: number, page: number): string => {
  const words = Array.from({ length: WORDS_PER_PAGE }, word)
  if (page % 2 === 0) words.push(COMMON_WORD)
  if (page === 7) words.push(RARE_WORDS[file % RARE_EVERY] ?? '')
  return words.join(' ')
}

/** Fills a loaded database with files of 20 pages about its companies, whose text has been read. */
export async function loadFiles(place: Place, companies: readonly string[], count: number): Promise<void> {
  const { background: db, close } = await openDatabase(place)
  for (let start = 0; start < count; start += BATCH) {
    const files = Array.from({ length: Math.min(BATCH, count - start) }, (_, index) => {
      const n = start + index
      const texts = Array.from({ length: PAGES }, (_page, page) => pageText(n, page + 1))
      return { id: newId('file'), n, company: companies[n % companies.length], texts }
    })
    const rows = sql`json_to_recordset(${JSON.stringify(files)}::json) as file(id text, n int, company text, texts json)`
    await db.transaction().execute(async (transaction) => {
      await sql`
        insert into files (id, name, version, visibility, created_at, updated_at)
        select id, 'Deck ' || n || '.pdf', 1, 'team', now(), now() from ${rows}`.execute(transaction)
      await sql`
        insert into file_versions (file_id, version, object_key, type, size, sha256, uploaded_at, scan_state, text_state, pages)
        select id, 1, 'files/' || id, 'application/pdf', 1000000, '', now() - make_interval(mins => ${count}::int - n),
          'off', 'done', ${PAGES} from ${rows}`.execute(transaction)
      await sql`
        insert into links (record_id, relation, target_type, target_id, position)
        select id, 'about', 'company', company, 0 from ${rows}`.execute(transaction)
      await sql`
        insert into file_pages (file_id, version, page, text)
        select id, 1, ordinality, page.text
        from ${rows}, json_array_elements_text(texts) with ordinality as page(text, ordinality)`.execute(
        transaction,
      )
    })
    if (start % 1000 === 0) process.stderr.write(`  ${start} of ${count} files\r`)
  }
  await sql`vacuum analyze`.execute(db)
  await close()
}

/** Finding files by their text. The limits are those of milliseconds at p95 with 10,000 files. */
export function fileTextOperations(): (Operation & { maxMs?: number })[] {
  const find = (search: string) => ({ path: `/api/files?search=${search}` })
  const rare = () => find(RARE_WORDS[Math.floor(next() * RARE_WORDS.length)] as string)
  return [
    { name: 'files with a rare word, 1 connection', load: alone, request: rare, maxMs: 100 },
    { name: 'files with a rare word', load: few, request: rare },
    {
      name: 'files with a word of half of the pages, 1 connection',
      load: alone,
      request: () => find(COMMON_WORD),
      maxMs: 100,
    },
    {
      name: 'files with two words on a page, 1 connection',
      load: alone,
      request: () => find(`${COMMON_WORD}%20${word()}`),
      maxMs: 100,
    },
    {
      name: 'quick search with a rare word, 1 connection',
      load: alone,
      request: () => ({ path: `/api/search?q=${RARE_WORDS[0]}` }),
    },
    { name: 'the latest files, 1 connection', load: alone, request: () => ({ path: '/api/files' }) },
  ]
}
