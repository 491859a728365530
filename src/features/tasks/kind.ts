import {
  findMissingTargets,
  keepLinkTargets,
  type LinkedKind,
  linkOf,
  splitLinks,
} from '#src/features/links/index.ts'
import type { Obstacle, PreviousValues, RecordKind } from '#src/features/trash/index.ts'
import { findDisabled } from '#src/features/users/index.ts'
import type { Db } from '#src/platform/database/database.ts'
import { idsOf } from '#src/platform/ids.ts'
import { dueProblem } from './check.ts'
import { trashTasks } from './remove.ts'
import { restoreTasks } from './restore.ts'
import { lockTasks, lockTrashedTasks, readTaskOwners, type StoredTask } from './store.ts'
import { withPatch } from './update.ts'
import { writeChanges } from './write-changes.ts'

const withOwnLinks = (task: StoredTask) => ({ ...task, ...task.links })

/** Whose task it is for a user: it belongs to its author and to its assignee. */
export const ownerFor = (
  user: { email: string } | null,
  { author_email, assignee_email }: Pick<StoredTask, 'author_email' | 'assignee_email'>,
): string | null => (user && assignee_email === user.email ? assignee_email : author_email)

/** How a merge moves the links of tasks. */
export const linkedTasks: LinkedKind = {
  ...{ table: 'tasks', prefix: 'tsk', entity_type: 'task', activity_type: 'task_updated' },
}

/** How the trash and undo treat tasks. The ledger has each link as a field. */
export const taskKind: RecordKind<StoredTask> = {
  entity_type: 'task',
  prefix: 'tsk',
  readOwners: async (db, ids, user) => (await readTaskOwners(db, ids)).map((task) => ownerFor(user, task)),
  remove: async (transaction, action, records) => ({
    removed: await trashTasks(transaction, action, idsOf(records)),
    refused: [],
  }),
  restore: (transaction, action, records) => restoreTasks(transaction, action, idsOf(records)),
  keepReferences: keepLinkTargets,
  lock: async (transaction, ids) => (await lockTasks(transaction, ids)).map(withOwnLinks),
  links: {
    isLink: (field) => linkOf(field) !== undefined,
    lockTrashed: async (transaction, ids) => (await lockTrashedTasks(transaction, ids)).map(withOwnLinks),
  },
  findObstacles: async (transaction, previous) => [
    ...(await findMissingTargets(transaction, previous, { needsAbout: false })),
    ...(await findDisabledAssignees(transaction, previous)),
    ...(await findDueObstacles(transaction, previous)),
  ],
  write: async (transaction, action, changed) => {
    await writeChanges(
      transaction,
      action,
      changed.map(({ before, values }) => ({ before, ...splitLinks(values) })),
    )
  },
}

async function findDisabledAssignees(transaction: Db, previous: PreviousValues): Promise<Obstacle[]> {
  const assignees = [...previous].flatMap(([id, { assignee_email: email }]) =>
    typeof email === 'string' ? [{ id, email }] : [],
  )
  const disabled = await findDisabled(
    transaction,
    assignees.map(({ email }) => email),
  )
  return assignees.flatMap(({ id, email }) =>
    disabled.has(email) ? [{ id, field: 'assignee_email', reason: 'value_not_allowed' as const }] : [],
  )
}

const DUE_FIELDS = ['due_on', 'due_at', 'repeat', 'repeat_day', 'repeat_time', 'unless_contact_days'] as const

/** A task is due on a day or at a time, and one that repeats has a date: what depends on each other comes back together. */
async function findDueObstacles(transaction: Db, previous: PreviousValues): Promise<Obstacle[]> {
  const ids = [...previous.keys()]
  return (await lockTasks(transaction, ids)).flatMap((task) => {
    const { fields, links } = splitLinks(previous.get(task.id) ?? {})
    const after = { ...task, ...fields }
    const needsDay = after.unless_contact_days !== null && after.due_on === null
    const isTwice = after.due_on !== null && after.due_at !== null
    if (!needsDay && !isTwice && !dueProblem(after, withPatch(task.links, links))) return []
    const dependent = [...DUE_FIELDS, ...Object.keys(links)]
    return dependent
      .filter((field) => field in fields || field in links)
      .map((field) => ({ id: task.id, field, reason: 'changed_since' as const }))
  })
}
