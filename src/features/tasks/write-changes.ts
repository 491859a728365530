import {
  type Action,
  type Changes,
  changesOf,
  type NewActivity,
  recordAction,
} from '#src/features/activity/index.ts'
import { insertLinks, type LinkPatch, touchRecords, writeLinks } from '#src/features/links/index.ts'
import type { Db } from '#src/platform/database/database.ts'
import { timeAfter } from '#src/platform/database/sql.ts'
import { insertTaskRows, type StoredTask, writeTask } from './store.ts'

/** The fields of a task that can be changed. */
export type TaskFields = Partial<Omit<StoredTask, 'id' | 'links' | 'created_at' | 'updated_at'>>

/** A change to a task that the transaction has locked. */
export interface TaskChange {
  before: StoredTask
  fields?: TaskFields
  links?: LinkPatch
  metadata?: Record<string, unknown>
}

/**
 * Writes changes of tasks and records them. Tasks with no difference are left out. Those in the trash, whose links alone can
 * change, stay there.
 * @returns the ids of those that have changed
 */
export async function writeChanges(
  transaction: Db,
  action: Action,
  changes: readonly TaskChange[],
): Promise<string[]> {
  const compared = changes
    .map(({ before, fields = {}, links = {}, metadata }) => ({
      ...{ before, fields, links, metadata, ofFields: changesOf(before, fields) },
      ofLinks: changesOf(before.links, links, Object.keys(links)),
    }))
    .filter(({ ofFields, ofLinks }) => hasAny(ofFields) || hasAny(ofLinks))
  // Undoing a merge moves the links of many tasks, in one statement.
  const onlyLinked = compared.filter(({ ofFields }) => !hasAny(ofFields))
  const times = await touchRecords(
    transaction,
    'tasks',
    onlyLinked.map(({ before }) => before.id),
  )
  const activities: NewActivity[] = []
  for (const { before, fields, ofFields, ofLinks, metadata } of compared) {
    const updated_at = times.get(before.id) ?? timeAfter(before.updated_at)
    if (hasAny(ofFields)) await writeTask(transaction, { ...before, ...fields, updated_at })
    const differing = { ...ofFields, ...ofLinks }
    activities.push({
      ...taskActivity(typeOf(ofFields), before.id),
      timestamp: updated_at,
      metadata: { fields: Object.keys(differing), ...metadata },
      changes: differing,
    })
  }
  await writeLinks(
    transaction,
    compared.map(({ before, links }) => ({ record_id: before.id, links })),
  )
  await recordAction(transaction, action, activities)
  return compared.map(({ before }) => before.id)
}

const hasAny = (differing: Changes): boolean => Object.keys(differing).length > 0

function typeOf({ done_at }: Changes): TaskActivityType {
  if (!done_at) return 'task_updated'
  return done_at.to === null ? 'task_reopened' : 'task_done'
}

/** Stores new tasks with their links, and records them. @param metadata of each creation */
export async function insertTasks(
  transaction: Db,
  action: Action,
  tasks: readonly StoredTask[],
  metadata: (task: StoredTask) => Record<string, unknown> = () => ({}),
): Promise<void> {
  if (tasks.length === 0) return
  await insertTaskRows(transaction, tasks)
  await insertLinks(
    transaction,
    tasks.map(({ id, links }) => ({ record_id: id, links })),
  )
  await recordAction(
    transaction,
    action,
    tasks.map((task) => ({ ...taskActivity('task_created', task.id), metadata: metadata(task) })),
  )
}

type TaskActivityType = `task_${'created' | 'updated' | 'done' | 'reopened' | 'deleted' | 'restored'}`

/** An activity record about a task. */
export const taskActivity = (activity_type: TaskActivityType, id: string): NewActivity => ({
  activity_type,
  entity_type: 'task',
  entity_id: id,
})
