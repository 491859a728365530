import { sql } from 'kysely'
import { type Action, recordAction } from '#src/features/activity/index.ts'
import { copyToTrash } from '#src/features/trash/index.ts'
import type { Db } from '#src/platform/database/database.ts'
import { inShortTransaction } from '#src/platform/database/short-transaction.ts'
import { requireFile } from './find.ts'
import type { FileRecord } from './schema.ts'
import { isInfected } from './store.ts'
import { fileActivity } from './write-changes.ts'

/** Checks that the caller may delete a file. @throws MissingPermission */
type AuthorizeRemoval = (file: FileRecord, isInfected: boolean) => void

/**
 * Deletes a file. Its versions stay, so that it can come back.
 * @throws NotFound, also if the user cannot see it, MissingPermission
 */
export const deleteFile = (db: Db, authorize: AuthorizeRemoval, action: Action, id: string): Promise<void> =>
  inShortTransaction(db, async (transaction) => {
    const file: FileRecord = JSON.parse(await requireFile(transaction, action.user, id))
    authorize(file, await isInfected(transaction, id))
    await trashFiles(transaction, action, [id])
  })

/**
 * Moves files to the trash. Their versions, what they are about, and who may see them stay.
 * @returns the ids of those that exist
 */
export async function trashFiles(transaction: Db, action: Action, ids: string[]): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from files where id = any(${ids}) order by id for update`.execute(transaction)
  const removed = rows.map(({ id }) => id)
  await copyToTrash(transaction, action, 'files', sql`id = any(${removed})`, {
    entity_type: 'file',
    name: sql`name`,
    company_id: sql`null`,
  })
  await sql`delete from files where id = any(${removed})`.execute(transaction)
  await recordAction(
    transaction,
    action,
    removed.map((id) => fileActivity('file_deleted', id)),
  )
  return removed
}
