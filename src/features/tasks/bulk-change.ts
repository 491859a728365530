import { sql } from 'kysely'
import type { Action } from '#src/features/activity/index.ts'
import { keepTargets, targetsIn } from '#src/features/links/index.ts'
import type { Db } from '#src/platform/database/database.ts'
import { InvalidInput } from '#src/platform/errors.ts'
import type { TaskChanges, TasksChanged, TasksPatch } from './bulk-change-schema.ts'
import { checkedFields, keepAssignee, type ReadCalendar, requireYear } from './check.ts'
import { type Finished, finishTasks, nextTask } from './finish.ts'
import { lockKnownTasks } from './lock-known.ts'
import { postponed } from './next-due.ts'
import { readDueOn, readTaskLinksOf, type StoredTask } from './store.ts'
import type { AuthorizeChange } from './update.ts'
import { type TaskChange, type TaskFields, writeChanges } from './write-changes.ts'

/**
 * Makes the same changes to many tasks, or to none, and records them as one action.
 * @throws InvalidInput for tasks or an assignee that do not exist, and for a date that is not allowed, MissingPermission
 */
export const updateTasks = (
  db: Db,
  authorize: AuthorizeChange,
  action: Action,
  { ids, changes }: TasksPatch,
  readUncached: ReadCalendar,
): Promise<TasksChanged> =>
  db.transaction().execute(async (transaction) => {
    const readCalendar = readOnce(readUncached)
    if (changes.due_on !== undefined && changes.postpone_days !== undefined)
      throw new InvalidInput('due_on and postpone_days must not both be sent: each sets when tasks are due.')
    const wanted = [...new Set(ids)]
    // A purge of a record would miss the link of a task that is created meanwhile.
    if (changes.done)
      await keepTargets(transaction, targetsIn(await readTaskLinksOf(transaction, wanted), 'about'))
    await keepAssignee(transaction, changes.assignee_email)
    if (changes.done) await keepAssigneesOf(transaction, wanted)
    const tasks = await lockKnownTasks(transaction, wanted)
    for (const task of tasks) authorize(task)
    const changed: TaskChange[] = []
    for (const before of tasks)
      changed.push({ before, fields: await changedFields(transaction, before, changes, readCalendar) })
    const updated = changes.done
      ? await finishAll(transaction, action, changed, readCalendar)
      : (await writeChanges(transaction, action, changed)).length
    return {
      changed: updated,
      unchanged: tasks.length - updated,
      action_id: updated > 0 ? action.id : null,
    }
  })

/** Many tasks have few assignees. */
function readOnce(readCalendar: ReadCalendar): ReadCalendar {
  const calendars = new Map<string | null, ReturnType<ReadCalendar>>()
  return (db, email) => {
    const known = calendars.get(email) ?? readCalendar(db, email)
    calendars.set(email, known)
    return known
  }
}

/** The next tasks must not go to users who are being disabled. */
async function keepAssigneesOf(transaction: Db, ids: readonly string[]): Promise<void> {
  await sql`
    select from users where email in (
      select assignee_email collate "default" from tasks where id = any(${[...ids]}))
    order by email for share`.execute(transaction)
}

async function changedFields(
  transaction: Db,
  before: StoredTask,
  { postpone_days, done: _done, ...sent }: TaskChanges,
  readCalendar: ReadCalendar,
): Promise<TaskFields> {
  const later = postpone_days && (await laterDue(transaction, before, postpone_days, readCalendar))
  try {
    return await checkedFields(transaction, before, { ...sent, ...later }, before.links, readCalendar)
  } catch (error) {
    if (!(error instanceof InvalidInput)) throw error
    throw new InvalidInput(`${error.message} (${before.id}: ${before.title})`)
  }
}

async function laterDue(
  transaction: Db,
  before: StoredTask,
  days: number,
  readCalendar: ReadCalendar,
): Promise<{ due_on?: string; due_at?: string }> {
  const calendar = await readCalendar(transaction, before.assignee_email)
  const due_on = before.unless_contact_days === null ? before.due_on : await readDueOn(transaction, before.id)
  const later = postponed({ ...before, due_on }, days, calendar)
  for (const value of Object.values(later))
    requireYear('postpone_days must not be so large: the due date', value)
  return later
}

async function finishAll(
  transaction: Db,
  action: Action,
  changes: readonly TaskChange[],
  readCalendar: ReadCalendar,
): Promise<number> {
  const finished: Finished[] = []
  for (const { before, fields } of changes)
    finished.push({
      ...{ before, fields: fields as TaskFields },
      next: await nextTask(transaction, { ...before, ...fields }, readCalendar),
    })
  return finishTasks(transaction, action, finished)
}
