import type { Action } from '#src/features/activity/index.ts'
import { type Links, replaceLinks, requireAbout } from '#src/features/links/index.ts'
import type { Db } from '#src/platform/database/database.ts'
import type { Json } from '#src/platform/database/sql.ts'
import { orNotFound } from '#src/platform/errors.ts'
import { idTime, newId } from '#src/platform/ids.ts'
import { checkedFields, keepAssignee, type ReadCalendar } from './check.ts'
import type { NewTask } from './schema.ts'
import { readTask, type StoredTask } from './store.ts'
import { insertTasks } from './write-changes.ts'

/**
 * Creates a task, by default for the user of the action, and records it.
 * @throws InvalidInput that names the field that is wrong
 */
export const createTask = (
  db: Db,
  action: Action,
  { about = [], ...sent }: NewTask,
  readCalendar: ReadCalendar,
): Promise<Json> =>
  db.transaction().execute(async (transaction) => {
    // Merges lock records before the tasks about them.
    await requireAbout(transaction, about)
    await keepAssignee(transaction, sent.assignee_email)
    const author_email = action.user?.email ?? null
    const links = replaceLinks({}, 'about', about) as Links
    const empty = { ...newTask({ title: sent.title, author_email, links }), assignee_email: author_email }
    const task = { ...empty, ...(await checkedFields(transaction, empty, sent, links, readCalendar)) }
    await insertTasks(transaction, action, [task])
    return orNotFound(await readTask(transaction, task.id), 'task', task.id)
  })

/** A new task without a date. */
export function newTask(given: Pick<StoredTask, 'title' | 'author_email' | 'links'>): StoredTask {
  const id = newId('tsk')
  const time = idTime(id).toISOString()
  return {
    ...{ id, due_on: null, due_at: null, assignee_email: null, repeat: null, repeat_day: null },
    ...{ repeat_time: null, unless_contact_days: null, done_at: null, done_by: null },
    ...given,
    created_at: time,
    updated_at: time,
  }
}
