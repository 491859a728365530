import { MAX_QUESTION_LENGTH } from '#src/client/limits.ts'
import type { Query } from '#web/api/service.ts'
import { DUE_GROUPS, type DueGroup } from '#web/tasks/due.ts'

export const VIEWS = ['mine', 'all', 'assignee', 'done'] as const
export type TasksView = (typeof VIEWS)[number]
/** The filter for tasks that are assigned to no one. */
export const NOBODY = 'none'

export interface TasksSearch {
  /** Without one, the open tasks of the signed-in user. */
  view?: Exclude<TasksView, 'mine'>
  /** An email address, or `none`. */
  assignee?: string
  due?: DueGroup
  /** The id of a record that they are about. */
  about?: string
  /** Words. */
  q?: string
  /** Starts at 1. */
  page?: number
  /** The id of the task whose dialog is open. */
  task?: string
}

/** What narrows the list. */
export type TaskFilters = Pick<TasksSearch, 'assignee' | 'due' | 'about' | 'q'>

/** @param search the query of `/tasks`; invalid values are dropped */
export function tasksSearch(search: Record<string, unknown>): TasksSearch {
  const view = VIEWS.find((known) => known === search.view)
  const due = DUE_GROUPS.find((known) => known === search.due)
  const { assignee } = search
  const page = Number(search.page)
  return {
    ...(view && view !== 'mine' && { view }),
    ...(typeof assignee === 'string' && (assignee === NOBODY || assignee.includes('@')) && { assignee }),
    ...(due && { due }),
    ...(isId(search.about, '(?:cmp|df|per|th)') && { about: search.about }),
    ...(search.q ? { q: String(search.q).slice(0, MAX_QUESTION_LENGTH) } : {}),
    ...(Number.isSafeInteger(page) && page > 1 && { page }),
    ...(isId(search.task, 'tsk') && { task: search.task }),
  }
}

const isId = (value: unknown, prefix: string): value is string =>
  typeof value === 'string' && new RegExp(`^${prefix}_\\w+$`).test(value)

/** What the service is asked for. */
export function tasksQuery({ view, assignee, due, about, q }: TasksSearch): Query<'listTasks'> {
  const whose = view === undefined ? 'me' : assignee
  return {
    done: view === 'done',
    ...(view === 'done' && { sort: '-done_at' }),
    ...(view === 'assignee' && { sort: 'assignee_email,due_on' }),
    ...(whose && { assignee: [whose] }),
    ...(due && view !== 'done' && { due }),
    ...(about && { about: [about] }),
    ...(q && { search: q }),
  }
}
