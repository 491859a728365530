import type { Action } from '#src/features/activity/index.ts'
import { keepTargets, targetsIn } from '#src/features/links/index.ts'
import type { Db } from '#src/platform/database/database.ts'
import { orNotFound } from '#src/platform/errors.ts'
import { keepAssignee, type ReadCalendar } from './check.ts'
import { newTask } from './create.ts'
import { requireTask } from './find.ts'
import { daysFromToday, nextDue } from './next-due.ts'
import { reassignDisabled } from './reassign.ts'
import type { FinishedTask, Task } from './schema.ts'
import { readTask, readTaskLinks, type StoredTask } from './store.ts'
import { type AuthorizeChange, lockTask } from './update.ts'
import { insertTasks, type TaskFields, writeChanges } from './write-changes.ts'

interface Finish {
  authorize: AuthorizeChange
  id: string
  readCalendar: ReadCalendar
}

/**
 * Finishes a task, creates the next one if it repeats, and records it. Writes nothing if it is done already.
 * @throws NotFound, MissingPermission
 */
export const finishTask = (
  db: Db,
  action: Action,
  { authorize, id, readCalendar }: Finish,
): Promise<{ task: FinishedTask; isChanged: boolean }> =>
  db.transaction().execute(async (transaction) => {
    await keepPresentAssignee(transaction, id)
    // A purge of a record would miss the link of a task that is created meanwhile.
    await keepTargets(transaction, targetsIn(await readTaskLinks(transaction, id), 'about'))
    const before = await lockTask(transaction, id)
    authorize(before)
    const next = await nextTask(transaction, before, readCalendar)
    const changed = await finishTasks(transaction, action, [{ before, next }])
    const task: Task = JSON.parse(orNotFound(await readTask(transaction, id), 'task', id))
    const { id: next_id = null, due_on: next_due_on = null, due_at: next_due_at = null } = next ?? {}
    return { task: { ...task, next_id, next_due_on, next_due_at }, isChanged: changed > 0 }
  })

/** @throws NotFound */
async function keepPresentAssignee(transaction: Db, id: string): Promise<void> {
  const { assignee_email }: Task = JSON.parse(await requireTask(transaction, id))
  await keepAssignee(transaction, assignee_email)
}

/** A task that is done, and the one that follows it. */
export interface Finished {
  before: StoredTask
  fields?: TaskFields
  next: StoredTask | undefined
}

/**
 * Finishes locked tasks. The next task takes over the repetition, so that one that is opened again has no second one.
 * @returns how many were not done yet
 */
export async function finishTasks(
  transaction: Db,
  action: Action,
  finished: readonly Finished[],
): Promise<number> {
  const open = finished.filter(({ before }) => before.done_at === null)
  const done = {
    ...{ done_at: new Date().toISOString(), done_by: action.user?.email ?? null },
    ...{ repeat: null, repeat_day: null, repeat_time: null, unless_contact_days: null },
  }
  await writeChanges(
    transaction,
    action,
    open.map(({ before, fields }) => ({ before, fields: { ...fields, ...done } })),
  )
  const previous = new Map(open.flatMap(({ before, next }) => (next ? [[next.id, before.id]] : [])))
  const next = open.flatMap((one) => one.next ?? [])
  await insertTasks(transaction, action, next, ({ id }) => ({ previous_id: previous.get(id) }))
  return open.length
}

/** The task that follows one; undefined: it does not repeat, or is done. */
export async function nextTask(
  transaction: Db,
  before: StoredTask,
  readCalendar: ReadCalendar,
): Promise<StoredTask | undefined> {
  const { done_at, repeat, unless_contact_days, title, author_email, assignee_email, links } = before
  if (done_at !== null || (!repeat && unless_contact_days === null)) return undefined
  const calendar = await readCalendar(transaction, assignee_email)
  const due = repeat
    ? nextDue(before, repeat, calendar)
    : { due_on: daysFromToday(calendar, unless_contact_days as number) }
  return { ...newTask({ title, author_email, links }), assignee_email, repeat, unless_contact_days, ...due }
}

/**
 * Opens a task again and records it. Writes nothing if it is open. The next task, if it had one, stays. If the assignee was
 * disabled meanwhile, it goes to another user.
 * @throws NotFound, MissingPermission
 */
export const reopenTask = (
  db: Db,
  authorize: AuthorizeChange,
  action: Action,
  id: string,
): Promise<{ task: string; isChanged: boolean }> =>
  db.transaction().execute(async (transaction) => {
    await keepPresentAssignee(transaction, id)
    const before = await lockTask(transaction, id)
    authorize(before)
    const fields = { done_at: null, done_by: null }
    const changed = await writeChanges(transaction, action, [{ before, fields }])
    await reassignDisabled(transaction, action, changed)
    return { task: orNotFound(await readTask(transaction, id), 'task', id), isChanged: changed.length > 0 }
  })
