import { sql } from 'kysely'
import { type Action, recordAction } from '#src/features/activity/index.ts'
import { copyToTrash } from '#src/features/trash/index.ts'
import type { Db } from '#src/platform/database/database.ts'
import { inShortTransaction } from '#src/platform/database/short-transaction.ts'
import { lockPeople } from './store.ts'
import { personActivity } from './write-changes.ts'

/** Deletes a person. @returns their id; undefined if they do not exist */
export const deletePerson = (db: Db, action: Action, id: string): Promise<string | undefined> =>
  inShortTransaction(db, async (transaction) => (await trashPeople(transaction, action, [id]))[0])

/**
 * Moves people to the trash. Nothing shows their links until they come back.
 * @returns the ids of those who exist
 */
export async function trashPeople(transaction: Db, action: Action, ids: string[]): Promise<string[]> {
  const people = (await lockPeople(transaction, ids)).map(({ id }) => id)
  await copyToTrash(transaction, action, 'people', sql`id = any(${people})`, {
    entity_type: 'person',
    name: sql`name`,
    company_id: sql`null`,
  })
  await sql`delete from people where id = any(${people})`.execute(transaction)
  await recordAction(
    transaction,
    action,
    people.map((id) => personActivity('person_deleted', id)),
  )
  return people
}
