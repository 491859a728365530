import { sql } from 'kysely'
import { type Action, recordAction } from '#src/features/activity/index.ts'
import { copyFromTrash, lockEntries, type Restoration } from '#src/features/trash/index.ts'
import type { Db } from '#src/platform/database/database.ts'
import { reassignDisabled } from './reassign.ts'
import { taskActivity } from './write-changes.ts'

/**
 * Restores tasks with their links, which followed the merges of records. Those whose assignees were disabled meanwhile go to
 * others.
 */
export async function restoreTasks(transaction: Db, action: Action, ids: string[]): Promise<Restoration> {
  const restored = await lockEntries(transaction, 'task', ids)
  if (restored.length === 0) return { restored: [], refused: [] }
  await copyFromTrash(transaction, 'tasks', sql`trash.id = any(${restored})`)
  await sql`delete from trash where id = any(${restored})`.execute(transaction)
  await recordAction(
    transaction,
    action,
    restored.map((id) => taskActivity('task_restored', id)),
  )
  await reassignDisabled(transaction, action, restored)
  return { restored, refused: [] }
}
