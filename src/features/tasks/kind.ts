import { keepTargets, type Link, type LinkPatch, linkOf } from '#src/features/links/index.ts'
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
  keepReferences: async (transaction, changes) => {
    await keepTargets(
      transaction,
      changes.flatMap((fields) =>
        Object.entries(fields).flatMap(([name, { from, to }]) => {
          const id = linkOf(name)?.target_id
          const link = (from ?? to) as Link | null
          return id === undefined || !link ? [] : [{ type: link.type, id }]
        }),
      ),
    )
  },
  lock: async (transaction, ids) => (await lockTasks(transaction, ids)).map(withOwnLinks),
  links: {
    isLink: (field) => linkOf(field) !== undefined,
    lockTrashed: async (transaction, ids) => (await lockTrashedTasks(transaction, ids)).map(withOwnLinks),
  },
  findObstacles: async (transaction, previous) => [
    ...(await findMissingTargets(transaction, previous)),
    ...(await findDisabledAssignees(transaction, previous)),
    ...(await findDueObstacles(transaction, previous)),
  ],
  write: async (transaction, action, changed) => {
    await writeChanges(
      transaction,
      action,
      changed.map(({ before, values }) => ({ before, ...split(values) })),
    )
  },
}

/** Values by their names in the ledger, as fields and as links. */
function split(values: Record<string, unknown>) {
  const entries = Object.entries(values)
  return {
    fields: Object.fromEntries(entries.filter(([name]) => !linkOf(name))),
    links: Object.fromEntries(entries.filter(([name]) => linkOf(name))) as LinkPatch,
  }
}

/** The links to records that are in the trash, merged or gone. The others stay until the transaction ends. */
async function findMissingTargets(transaction: Db, previous: PreviousValues): Promise<Obstacle[]> {
  const links = [...previous].flatMap(([id, values]) =>
    Object.entries(values).flatMap(([field, link]) => {
      const target = linkOf(field)?.target_id
      return target === undefined || !link ? [] : [{ id, field, target, type: (link as Link).type }]
    }),
  )
  const existing = await keepTargets(
    transaction,
    links.map(({ target, type }) => ({ id: target, type })),
  )
  return links.flatMap(({ id, field, target }) =>
    existing.has(target) ? [] : [{ id, field, reason: 'record_missing' as const }],
  )
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
    const { fields, links } = split(previous.get(task.id) ?? {})
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
