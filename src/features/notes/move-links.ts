import { sql } from 'kysely'
import { type Action, changesOf, recordAction } from '#src/features/activity/index.ts'
import { moveLinks, readLinkedRecords, readLinks, writeLinks } from '#src/features/links/index.ts'
import { findHidden } from '#src/features/visibility/index.ts'
import type { Db } from '#src/platform/database/database.ts'
import { touchNotes } from './store.ts'

/**
 * Makes notes about some records, private ones too and those in the trash, notes about another one, and records it, so that an
 * undo brings all links back. Of people, this includes those who took part.
 * @param from those first whose links are preferred
 * @returns the ids of those notes that are not in the trash and that the user of the action may see
 */
export async function moveNoteLinks(
  transaction: Db,
  action: Action,
  { from, to }: { from: string[]; to: string },
): Promise<string[]> {
  const ids = await readLinkedRecords(transaction, 'note', from)
  // Restoring locks in this order too.
  await sql`select from trash where id = any(${ids}) order by id for update`.execute(transaction)
  await sql`select from notes where id = any(${ids}) order by id for no key update`.execute(transaction)
  const before = await readLinks(transaction, ids)
  const changes = ids
    .map((record_id) => ({ record_id, links: moveLinks(before.get(record_id) ?? {}, from, to) }))
    .filter(({ links }) => Object.keys(links).length > 0)
  const moved = changes.map(({ record_id }) => record_id)
  await writeLinks(transaction, changes)
  const times = await touchNotes(transaction, moved)
  const now = new Date().toISOString()
  await recordAction(
    transaction,
    action,
    changes.map(({ record_id, links }) => ({
      ...({ activity_type: 'note_updated', entity_type: 'note', entity_id: record_id } as const),
      timestamp: times.get(record_id) ?? now,
      metadata: { fields: Object.keys(links) },
      changes: changesOf(before.get(record_id) ?? {}, links, Object.keys(links)),
    })),
  )
  const hidden = await findHidden(transaction, action.user, moved)
  return moved.filter((id) => times.has(id) && !hidden.has(id))
}
