import { unknownRecords } from '#src/features/trash/index.ts'
import type { Db } from '#src/platform/database/database.ts'
import { lockTasks, type StoredTask } from './store.ts'

/** Locks tasks by their ids. @throws InvalidInput for ids of tasks that do not exist */
export async function lockKnownTasks(transaction: Db, ids: readonly string[]): Promise<StoredTask[]> {
  const wanted = [...new Set(ids)]
  const tasks = await lockTasks(transaction, wanted)
  const known = new Set(tasks.map(({ id }) => id))
  const unknown = wanted.filter((id) => !known.has(id))
  if (unknown.length > 0)
    throw await unknownRecords(transaction, 'ids must be ids of tasks', unknown, 'POST /api/tasks')
  return tasks
}
