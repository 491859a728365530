import { targetsIn } from '#src/features/links/index.ts'
import { findTrashed, orTrashed } from '#src/features/trash/index.ts'
import type { Db } from '#src/platform/database/database.ts'
import type { Json } from '#src/platform/database/sql.ts'
import { NotFound } from '#src/platform/errors.ts'
import { idsOf } from '#src/platform/ids.ts'
import { readTask, readTaskLinks } from './store.ts'

/**
 * The task, which was looked up by an id from the path.
 * @throws NotFound; the message says whether it, or all that it is about, is in the trash
 */
export async function requireTask(db: Db, id: string): Promise<Json> {
  const task = await readTask(db, id)
  if (task !== undefined) return task
  const stored = await db.selectFrom('tasks').select('id').where('id', '=', id).executeTakeFirst()
  return stored ? throwHiddenByTrash(db, id) : orTrashed<Json>(db, undefined, 'task', id)
}

/** @throws NotFound that says which records in the trash hide a task */
async function throwHiddenByTrash(db: Db, id: string): Promise<never> {
  const targets = targetsIn(await readTaskLinks(db, id), 'about')
  const [first = '', ...others] = [...(await findTrashed(db, idsOf(targets))).keys()]
  throw new NotFound(
    others.length === 0
      ? `The task ${id} is about ${first}, which is in the trash. POST /api/trash/${first}/restore brings both back.`
      : `All records that the task ${id} is about are in the trash, such as ${first}. POST /api/trash/${first}/restore brings it and the task back.`,
  )
}
