import { sql } from 'kysely'
import { type Action, recordAction } from '#src/features/activity/index.ts'
import { copyFromTrash, lockEntries, type Restoration } from '#src/features/trash/index.ts'
import type { Db } from '#src/platform/database/database.ts'
import { fileActivity } from './write-changes.ts'

/** Restores files, with their links, which followed the merges of records. */
export async function restoreFiles(transaction: Db, action: Action, ids: string[]): Promise<Restoration> {
  const restored = await lockEntries(transaction, 'file', ids)
  if (restored.length === 0) return { restored: [], refused: [] }
  await copyFromTrash(transaction, 'files', sql`trash.id = any(${restored})`)
  await sql`delete from trash where id = any(${restored})`.execute(transaction)
  await recordAction(
    transaction,
    action,
    restored.map((id) => fileActivity('file_restored', id)),
  )
  return { restored, refused: [] }
}
