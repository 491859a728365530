import { sql } from 'kysely'
import { type Action, recordAction } from '#src/features/activity/index.ts'
import { copyToTrash } from '#src/features/trash/index.ts'
import type { Db } from '#src/platform/database/database.ts'
import { inShortTransaction } from '#src/platform/database/short-transaction.ts'
import { requireNote } from './find.ts'
import type { Note } from './schema.ts'
import type { AuthorizeChange } from './update.ts'
import { noteActivity } from './write-changes.ts'

/**
 * Deletes a note with its replies.
 * @throws NotFound, also if the user cannot see it, MissingPermission
 */
export const deleteNote = (db: Db, authorize: AuthorizeChange, action: Action, id: string): Promise<void> =>
  inShortTransaction(db, async (transaction) => {
    const note: Note = JSON.parse(await requireNote(transaction, action.user, id))
    authorize(note.author_email)
    await trashNotes(transaction, action, [id])
  })

/**
 * Moves notes to the trash, with their replies, which come back with them. What they are about and who may see them stays.
 * @returns the ids of those that exist, and of their replies
 */
export async function trashNotes(transaction: Db, action: Action, ids: string[]): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from notes where id = any(${ids}) or parent_id = any(${ids}) order by id for update`.execute(
    transaction,
  )
  const removed = rows.map(({ id }) => id)
  await copyToTrash(transaction, action, 'notes', sql`id = any(${removed})`, {
    entity_type: 'note',
    name: sql`note_name(title, body)`,
    company_id: sql`null`,
    parent_id: sql`case when parent_id = any(${removed}) then parent_id end`,
  })
  await sql`delete from notes where id = any(${removed})`.execute(transaction)
  await recordAction(
    transaction,
    action,
    removed.map((id) => noteActivity('note_deleted', id)),
  )
  return removed
}
