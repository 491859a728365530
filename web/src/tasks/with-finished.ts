import type { Task } from '#web/api/service.ts'
import { type Due, dueDay } from './due.ts'

/**
 * The open tasks together with those that were finished on this page, at the places where they were.
 * @param finished by id; those that are open again are left to the list
 */
export function withFinished(open: readonly Task[], finished: ReadonlyMap<string, Task>): Task[] {
  const listed = new Set(open.map(({ id }) => id))
  const kept = [...finished.values()].filter(({ id, done_at }) => done_at !== null && !listed.has(id))
  const rows = [...open]
  for (const task of kept) {
    const at = rows.findIndex((row) => orderOf(row) > orderOf(task))
    rows.splice(at < 0 ? rows.length : at, 0, task)
  }
  return rows
}

/** Texts in the order of lists: due first, on one day those with a time, and those without a date last. */
function orderOf(task: Due & { id: string }): string {
  const day = dueDay(task) ?? '9999'
  return `${day} ${task.due_at ?? '~'} ${task.id}`
}
