import { sql } from 'kysely'
import { type Action, changesOf, recordAction } from '#src/features/activity/index.ts'
import { moveLinks, readLinkedRecords, readLinks, writeLinks } from '#src/features/links/index.ts'
import { findHidden } from '#src/features/visibility/index.ts'
import type { Db } from '#src/platform/database/database.ts'
import { touchFiles } from './store.ts'
import { fileActivity } from './write-changes.ts'

/**
 * Makes files about some records, private ones too and those in the trash, files about another one, and records it, so that
 * an undo brings all links back.
 * @param from those first whose links are preferred
 * @returns the ids of those files that are not in the trash and that the user of the action may see
 */
export async function moveFileLinks(
  transaction: Db,
  action: Action,
  { from, to }: { from: string[]; to: string },
): Promise<string[]> {
  const ids = await readLinkedRecords(transaction, 'file', from)
  // Restoring locks in this order too.
  await sql`select from trash where id = any(${ids}) order by id for update`.execute(transaction)
  await sql`select from files where id = any(${ids}) order by id for no key update`.execute(transaction)
  const before = await readLinks(transaction, ids)
  const changes = ids
    .map((record_id) => ({ record_id, links: moveLinks(before.get(record_id) ?? {}, from, to) }))
    .filter(({ links }) => Object.keys(links).length > 0)
  const moved = changes.map(({ record_id }) => record_id)
  await writeLinks(transaction, changes)
  const times = await touchFiles(transaction, moved)
  const now = new Date().toISOString()
  await recordAction(
    transaction,
    action,
    changes.map(({ record_id, links }) => ({
      ...fileActivity('file_updated', record_id),
      timestamp: times.get(record_id) ?? now,
      metadata: { fields: Object.keys(links) },
      changes: changesOf(before.get(record_id) ?? {}, links, Object.keys(links)),
    })),
  )
  const hidden = await findHidden(transaction, action.user, moved)
  return moved.filter((id) => times.has(id) && !hidden.has(id))
}
