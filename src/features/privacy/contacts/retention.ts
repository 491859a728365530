import { sql } from 'kysely'
import type { Db } from '#src/platform/database/database.ts'
import { type JsonPage, readPage, utc } from '#src/platform/database/sql.ts'
import type { PageRequest } from '#src/platform/schema/shapes.ts'

/**
 * The people who have not been changed for this many months, and whom no note has named in that time, longest due first.
 * @param months 0: nobody
 */
export function listDueContacts(db: Db, months: number, page: PageRequest): Promise<JsonPage> {
  const period = sql`make_interval(months => ${months})`
  const lastNote = sql`(
    select max(greatest(notes.created_at, notes.updated_at, least(notes.happened_at, now())))
    from links join notes on notes.id = links.record_id where target_id = people.id)`
  const due = sql`(
    select id, name, owner_email, updated_at as last_change_at, ${lastNote} as last_note_at,
      greatest(updated_at, ${lastNote}) + ${period} as due_since
    from people where ${months}::int > 0 and updated_at < now() - ${period}) due`
  const fields = sql`id, name, owner_email, ${utc('last_change_at')}, ${utc('last_note_at')}, ${utc('due_since')}`
  const order = sql`order by due.due_since, id`
  return readPage(db, { table: due, fields, where: [sql`due_since < now()`], order }, page)
}
