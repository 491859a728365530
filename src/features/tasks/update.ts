import { type Action, requireUnchanged } from '#src/features/activity/index.ts'
import {
  type AboutEntry,
  type LinkPatch,
  type Links,
  MAX_ABOUT,
  readNames,
  replaceLinks,
  requireAbout,
  targetsIn,
} from '#src/features/links/index.ts'
import { orTrashed } from '#src/features/trash/index.ts'
import type { Db } from '#src/platform/database/database.ts'
import type { Json } from '#src/platform/database/sql.ts'
import { InvalidInput, orNotFound } from '#src/platform/errors.ts'
import { withoutReadOnly } from '#src/platform/schema/read-only.ts'
import { checkedFields, keepAssignee, type ReadCalendar } from './check.ts'
import { requireTask } from './find.ts'
import { TASK_READ_ONLY, type Task, type TaskPatch } from './schema.ts'
import { lockTasks, readDueOn, readTask, type StoredTask } from './store.ts'
import { writeChanges } from './write-changes.ts'

/** Checks that the caller may change a task of these two. @throws MissingPermission */
export type AuthorizeChange = (task: Pick<Task, 'author_email' | 'assignee_email'>) => void

interface Change {
  authorize: AuthorizeChange
  id: string
  body: TaskPatch
  /** The If-Match header. */
  ifMatch: string | undefined
  readCalendar: ReadCalendar
}

/**
 * Changes a task and records it. Writes nothing if no field differs.
 * @throws NotFound, MissingPermission, PreconditionFailed if it has changed since, InvalidInput that names the field that is
 *   wrong
 */
export const updateTask = (
  db: Db,
  action: Action,
  { authorize, id, body, ifMatch, readCalendar }: Change,
): Promise<{ task: Json; isChanged: boolean }> =>
  db.transaction().execute(async (transaction) => {
    const current: Task = JSON.parse(await requireTask(transaction, id))
    const { about, ...sent } = withoutPresent(current, withoutReadOnly(body, TASK_READ_ONLY))
    // Merges lock records before the tasks about them.
    if (about) await requireAbout(transaction, about)
    await keepAssignee(transaction, sent.assignee_email)
    const before = await lockTask(transaction, id)
    authorize(before)
    await requireUnchanged(transaction, ifMatch, 'task', before)
    const links = about ? await newLinks(transaction, before, about) : {}
    const after = withPatch(before.links, links)
    // What was read can be sent back: a contact has moved the day.
    if (sent.due_on && sent.due_on === (await readDueOn(transaction, id))) delete sent.due_on
    const fields = await checkedFields(transaction, before, sent, after, readCalendar)
    const changed = await writeChanges(transaction, action, [{ before, fields, links }])
    const task = orNotFound(await readTask(transaction, id), 'task', id)
    return { task, isChanged: changed.length > 0 }
  })

/** The task, locked until the transaction ends. @throws NotFound; the message says whether it is in the trash */
export async function lockTask(transaction: Db, id: string): Promise<StoredTask> {
  const [task] = await lockTasks(transaction, [id])
  return orTrashed(transaction, task, 'task', id)
}

/**
 * The patch without `about` if it is as it was read. Its number may be any then: records are restored and purged.
 * @throws InvalidInput for too many new entries
 */
function withoutPresent(current: Task, { about, ...patch }: TaskPatch): TaskPatch {
  if (!about || namesOf(about) === namesOf(current.about)) return patch
  if (about.length > MAX_ABOUT)
    throw new InvalidInput(`about must be an array of at most ${MAX_ABOUT} entries, but has ${about.length}.`)
  return { ...patch, about }
}

const namesOf = (about: readonly AboutEntry[]): string => about.map(({ type, id }) => `${type} ${id}`).join()

/** Links to records in the trash, which the caller does not see, stay. */
async function newLinks(transaction: Db, before: StoredTask, about: AboutEntry[]): Promise<LinkPatch> {
  const present = targetsIn(before.links, 'about')
  // Not locked: merges lock records before the tasks about them.
  const existing = await readNames(transaction, present)
  const hidden = present.map(({ id }) => id).filter((target) => !existing.has(target))
  return replaceLinks(before.links, 'about', about, new Set(hidden))
}

/** The links after a change. */
export const withPatch = (links: Links, patch: LinkPatch): Links =>
  Object.fromEntries(Object.entries({ ...links, ...patch }).filter(([, link]) => link !== null)) as Links
