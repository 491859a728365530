import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import { newAction } from '#src/features/activity/index.ts'
import { insertNotes, newNote } from '#src/features/notes/index.ts'
import { openDatabase } from '#src/platform/database/open.ts'
import { rowsFrom } from '#src/platform/database/rows.ts'
import { idFromBytes, newId } from '#src/platform/ids.ts'
import type { Place } from './load.ts'
import type { Operation } from './operations.ts'
import { alone, few } from './options.ts'

const NOTES = 5000
const CHANGES = 5000
const BATCH = 500
const TWO_YEARS_MS = 2 * 365 * 86_400_000
const user = { email: 'bench@example.com' }

/** An id as if it had been made at this time. */
function idAt(prefix: 'act' | 'ax', time: number): string {
  const bytes = randomBytes(16)
  bytes.writeUIntBE(time, 0, 6)
  return idFromBytes(prefix, bytes)
}

/** Gives a company 10,000 entries of two years: notes, and changes that are hours apart. */
export async function loadTimeline(place: Place, company: string): Promise<void> {
  const { background: db, close } = await openDatabase(place)
  const now = Date.now()
  for (let start = 0; start < NOTES; start += BATCH) {
    const notes = Array.from({ length: BATCH }, (_value, n) =>
      newNote(newId('note'), {
        body: 'They raise **two million** and ask for an answer in May. '.repeat(20),
        kind: (['note', 'call', 'meeting'] as const)[n % 3] ?? 'note',
        happened_at: new Date(now - ((start + n) * TWO_YEARS_MS) / NOTES).toISOString(),
        about: [{ type: 'company', id: company }],
        author_email: user.email,
      }),
    )
    await db
      .transaction()
      .execute((transaction) => insertNotes(transaction, newAction('import', user), notes))
  }
  const changes = Array.from({ length: CHANGES }, (_value, n) => {
    const time = now - (n * TWO_YEARS_MS) / CHANGES
    return {
      id: idAt('act', time),
      action_id: idAt('ax', time),
      time: new Date(time).toISOString(),
      city: `City ${n}`,
    }
  })
  const columns = { id: 'text', action_id: 'text', time: 'text', city: 'text' } as const
  for (let start = 0; start < CHANGES; start += BATCH) {
    const rows = rowsFrom('change', columns, changes.slice(start, start + BATCH))
    await sql`
      with action as (
        insert into actions (id, kind, user_email, created_at, records)
          select action_id, 'update', ${user.email}, time::timestamptz, 1 from ${rows})
      insert into activity (id, activity_type, entity_type, entity_id, company_id, user_email, "timestamp", metadata, changes,
        action_id, via)
      select id, 'company_updated', 'company', ${company}, ${company}, ${user.email}, time::timestamptz,
        '{"fields": ["hq_city"]}', json_build_object('hq_city', json_build_object('from', null, 'to', city)), action_id,
        'request' from ${rows}`.execute(db)
  }
  await sql`vacuum analyze`.execute(db)
  await close()
}

/** The newest page of that timeline has a limit in milliseconds at p95. */
export const timelineOperations = (company: string): (Operation & { maxMs?: number })[] => {
  const request = () => ({ path: `/api/companies/${company}/timeline` })
  return [
    { name: 'timeline of 10,000 entries, 1 connection', load: alone, request, maxMs: 30 },
    { name: 'timeline of 10,000 entries', load: few, request },
  ]
}
