import { sql } from 'kysely'
import { type Action, type NewActivity, recordAction } from '#src/features/activity/index.ts'
import { dropForbiddenValues } from '#src/features/fields/index.ts'
import { copyFromTrash, lockEntries, type Restoration } from '#src/features/trash/index.ts'
import type { Db } from '#src/platform/database/database.ts'
import { personActivity } from './write-changes.ts'

/** Restores people with their links, which followed the merges of companies. */
export async function restorePeople(transaction: Db, action: Action, ids: string[]): Promise<Restoration> {
  const restored = await lockEntries(transaction, 'person', ids)
  if (restored.length > 0)
    await returnPeople(
      transaction,
      action,
      restored.map((id) => personActivity('person_restored', id)),
    )
  return { restored, refused: [] }
}

/** Moves people, whose entries are locked, back from the trash, and records it. */
export async function returnPeople(
  transaction: Db,
  action: Action,
  activities: readonly (NewActivity & { entity_id: string })[],
): Promise<void> {
  const ids = activities.map(({ entity_id }) => entity_id)
  await copyFromTrash(transaction, 'people', sql`trash.id = any(${ids})`)
  await dropForbiddenValues(transaction, 'person', ids)
  await sql`delete from trash where id = any(${ids})`.execute(transaction)
  await recordAction(transaction, action, [...activities])
}
