import { sql } from 'kysely'
import { type Action, recordAction } from '#src/features/activity/index.ts'
import { dropForbiddenValues } from '#src/features/fields/index.ts'
import { copyFromTrash, lockEntries, type Restoration } from '#src/features/trash/index.ts'
import type { Db } from '#src/platform/database/database.ts'
import { readLinksToMerged } from './link-store.ts'
import { moveLinks } from './move-links.ts'
import { personActivity } from './write-changes.ts'

/** Restores people with their links. Those to a company that was merged since come back to the survivor. */
export async function restorePeople(transaction: Db, action: Action, ids: string[]): Promise<Restoration> {
  const restored = await lockEntries(transaction, 'person', ids)
  if (restored.length === 0) return { restored, refused: [] }
  await copyFromTrash(transaction, 'people', sql`trash.id = any(${restored})`)
  await dropForbiddenValues(transaction, 'person', restored)
  await sql`delete from trash where id = any(${restored})`.execute(transaction)
  await recordAction(
    transaction,
    action,
    restored.map((id) => personActivity('person_restored', id)),
  )
  for (const { company_id, survivor } of await readLinksToMerged(transaction, restored))
    await moveLinks(transaction, action, { from: [company_id], to: survivor, people: restored })
  return { restored, refused: [] }
}
