import { sql } from 'kysely'
import { createRandom } from '#src/cli/demo/random.ts'
import { newAction } from '#src/features/activity/index.ts'
import { insertNotes, newNote } from '#src/features/notes/index.ts'
import { openDatabase } from '#src/platform/database/open.ts'
import { newId } from '#src/platform/ids.ts'
import type { Place } from './load.ts'
import type { Operation } from './operations.ts'
import { alone, few } from './options.ts'

const BATCH = 1000
/** About 1 KB of text. */
const WORDS_PER_NOTE = 140
const VOCABULARY = 20_000
/** In every other note. */
const COMMON_WORD = 'revenue'
/** In one note of ten thousand. */
const RARE_WORDS = [
  'turbine',
  'sewage',
  'dentist',
  'harbor',
  'violin',
  'quarry',
  'falcon',
  'glacier',
  'saddle',
  'opal',
]
const RARE_EVERY = 10_000
/** One note in ten is private. */
const PRIVATE_EVERY = 10

const next = createRandom(42)
const user = { email: 'bench@example.com' }

/** Words of a few syllables. A few are in most texts, most in few, as in any language. */
function word(): string {
  const rank = Math.floor(VOCABULARY * next() ** 3)
  return rank.toString(5).replace(/./g, (digit) => ['ba', 'ke', 'mi', 'to', 'lu'][Number(digit)] ?? '')
}

const text = () => Array.from({ length: WORDS_PER_NOTE }, word).join(' ')

/** Fills a loaded database with notes about its companies, the last of them now. */
export async function loadNotes(place: Place, companies: readonly string[], count: number): Promise<void> {
  const { background: db, close } = await openDatabase(place)
  const action = newAction('import', user, 'import')
  for (let start = 0; start < count; start += BATCH) {
    const notes = Array.from({ length: Math.min(BATCH, count - start) }, (_value, index) => {
      const n = start + index
      const rare = RARE_WORDS[n % RARE_EVERY] ?? ''
      return newNote(newId('note'), {
        body: `${text()} ${n % 2 === 0 ? COMMON_WORD : ''} ${rare}`,
        happened_at: new Date(Date.now() - (count - n) * 60_000).toISOString(),
        about: [{ type: 'company', id: companies[n % companies.length] as string }],
        author_email: n % PRIVATE_EVERY === 0 ? 'someone@example.com' : user.email,
        visibility: n % PRIVATE_EVERY === 0 ? 'private' : 'team',
      })
    })
    await db.transaction().execute((transaction) => insertNotes(transaction, action, notes))
    if (start % 10_000 === 0) process.stderr.write(`  ${start} of ${count} notes\r`)
  }
  await sql`vacuum analyze`.execute(db)
  await close()
}

/** Saving notes, and finding them. Only saving and the rare word have a limit in milliseconds at p95. */
export function noteOperations(companies: readonly string[]): (Operation & { maxMs?: number })[] {
  const company = () => companies[Math.floor(next() * companies.length)] as string
  const save = () => ({
    method: 'POST' as const,
    path: '/api/notes',
    body: JSON.stringify({ kind: 'call', body: text(), about: [{ type: 'company', id: company() }] }),
  })
  const find = (search: string) => ({ path: `/api/notes?search=${search}` })
  const rare = () => find(RARE_WORDS[Math.floor(next() * RARE_WORDS.length)] as string)
  return [
    { name: 'saving a note of 1 KB, 1 connection', load: alone, request: save, maxMs: 20 },
    { name: 'saving a note of 1 KB', load: few, request: save },
    { name: 'notes with a rare word, 1 connection', load: alone, request: rare, maxMs: 100 },
    { name: 'notes with a rare word', load: few, request: rare },
    {
      name: 'notes with a word of half of them, 1 connection',
      load: alone,
      request: () => find(COMMON_WORD),
      maxMs: 100,
    },
    { name: 'the latest notes, 1 connection', load: alone, request: () => ({ path: '/api/notes' }) },
    {
      name: 'the notes of a company, 1 connection',
      load: alone,
      request: () => ({ path: `/api/notes?about=${company()}` }),
    },
  ]
}
