import { sql } from 'kysely'
import { type Action, recordAction } from '#src/features/activity/index.ts'
import { copyToTrash } from '#src/features/trash/index.ts'
import type { Db } from '#src/platform/database/database.ts'
import { inShortTransaction } from '#src/platform/database/short-transaction.ts'
import { requireTask } from './find.ts'
import { lockKnownTasks } from './lock-known.ts'
import { type AuthorizeChange, lockTask } from './update.ts'
import { taskActivity } from './write-changes.ts'

/** Deletes a task. @throws NotFound, MissingPermission */
export const deleteTask = (db: Db, authorize: AuthorizeChange, action: Action, id: string): Promise<void> =>
  inShortTransaction(db, async (transaction) => {
    await requireTask(transaction, id)
    authorize(await lockTask(transaction, id))
    await trashTasks(transaction, action, [id])
  })

/**
 * Deletes many tasks, or none, as one action.
 * @throws InvalidInput for tasks that do not exist, MissingPermission
 */
export const deleteTasks = (
  db: Db,
  authorize: AuthorizeChange,
  action: Action,
  ids: readonly string[],
): Promise<void> =>
  db.transaction().execute(async (transaction) => {
    const tasks = await lockKnownTasks(transaction, ids)
    for (const task of tasks) authorize(task)
    await trashTasks(
      transaction,
      action,
      tasks.map(({ id }) => id),
    )
  })

/**
 * Moves tasks to the trash. What they are about stays.
 * @returns the ids of those that exist
 */
export async function trashTasks(transaction: Db, action: Action, ids: string[]): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from tasks where id = any(${ids}) order by id for update`.execute(transaction)
  const removed = rows.map(({ id }) => id)
  await copyToTrash(transaction, action, 'tasks', sql`id = any(${removed})`, {
    entity_type: 'task',
    name: sql`title`,
    company_id: sql`null`,
  })
  await sql`delete from tasks where id = any(${removed})`.execute(transaction)
  await recordAction(
    transaction,
    action,
    removed.map((id) => taskActivity('task_deleted', id)),
  )
  return removed
}
