import { strings } from '#strings/tasks.ts'
import type { Task, User } from '#web/api/service.ts'
import { personName } from '#web/fields/people.ts'
import { formatDayHeading } from '#web/format/days.ts'
import { DUE_GROUPS, dueGroup } from '#web/tasks/due.ts'
import { ownToday } from '#web/tasks/own-today.ts'
import { dueOrder, withFinished } from '#web/tasks/with-finished.ts'
import type { TasksView } from './tasks-search.ts'

export interface TaskGroup {
  key: string
  title: string
  /** Of finished tasks among open ones, none. */
  count: number
  tasks: Task[]
}

/**
 * The tasks of a page under headings: by due date, by assignee, or by the day on which they were finished.
 * @param finished tasks that were finished on this page, by id
 */
export function groupTasks(
  view: TasksView,
  tasks: readonly Task[],
  finished: ReadonlyMap<string, Task>,
  users: readonly User[],
): TaskGroup[] {
  if (view === 'done')
    return [
      ...Map.groupBy(tasks, ({ done_at }) => (done_at ? formatDayHeading(done_at) : strings.openAgain)),
    ].map(([title, grouped]) => ({ key: title, title, count: grouped.length, tasks: grouped }))
  const keyOf = view === 'assignee' ? ({ assignee_email }: Task) => assignee_email ?? '' : dueKey
  const [open, kept] = [Map.groupBy(tasks, keyOf), Map.groupBy(finished.values(), keyOf)]
  const keys = view === 'assignee' ? [...new Set([...open.keys(), ...kept.keys()])] : DUE_GROUPS
  const listed = new Set(tasks.map(({ id }) => id))
  return keys
    .map((key) => {
      const gone = (kept.get(key) ?? []).filter(({ id }) => !listed.has(id))
      const all = withFinished(inOrder(open.get(key) ?? []), new Map(gone.map((task) => [task.id, task])))
      const count = all.filter(({ done_at }) => done_at === null).length
      return { key, title: titleOf(view, key, users), count, tasks: all }
    })
    .filter((group) => group.tasks.length > 0)
}

/** The service sorts times after days. */
const inOrder = (tasks: readonly Task[]): Task[] =>
  tasks.toSorted((one, other) => (dueOrder(one) < dueOrder(other) ? -1 : 1))

const dueKey = (task: Task): string => dueGroup(task, ownToday())

function titleOf(view: TasksView, key: string, users: readonly User[]): string {
  if (view === 'assignee') return key === '' ? strings.noAssignee : personName(key, users)
  return strings.groups[key as keyof typeof strings.groups]
}
