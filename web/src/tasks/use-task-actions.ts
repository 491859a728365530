import { useMutation } from '@tanstack/react-query'
import { MAX_CHANGED_TASKS } from '#src/client/limits.ts'
import { strings } from '#strings/tasks.ts'
import { UserFacingError } from '#web/api/error-message.ts'
import { refreshAfterOwnChange } from '#web/api/live/refresh.ts'
import { queryClient } from '#web/api/query-client.ts'
import { type Page, service, type Task } from '#web/api/service.ts'
import { signedInEmail } from '#web/api/signed-in-user.ts'
import { refreshTasks } from './use-save-task.ts'

export type BulkTaskChanges = Parameters<typeof service.updateTasks>[0]['body']['changes']

const LISTS = ['tasks', 'list']

/** Changes the tasks of lists that this tab has loaded. */
function putTasks(ids: readonly string[], change: (task: Task) => Partial<Task>): void {
  const changed = (task: Task) => (ids.includes(task.id) ? { ...task, ...change(task) } : task)
  queryClient.setQueriesData<Page<Task>>({ queryKey: LISTS }, (page) =>
    page ? { ...page, data: page.data.map(changed) } : page,
  )
}

/**
 * Finishes tasks, or opens one again. Lists show it at once. A notice with Undo follows.
 * @param onChange called with the tasks as they are now
 */
export function useFinishTasks(onChange?: (tasks: Task[]) => void) {
  return useMutation({
    scope: { id: 'tasks' },
    mutationFn: async ({
      tasks: [first, ...others],
      isDone,
    }: {
      tasks: readonly Task[]
      isDone: boolean
    }) => {
      if (!first) return
      if (!isDone) await service.reopenTask({ params: { id: first.id } })
      else if (others.length === 0) await service.finishTask({ params: { id: first.id } })
      else await service.updateTasks({ body: { ids: idsOf([first, ...others]), changes: { done: true } } })
    },
    onMutate: async ({ tasks, isDone }) => {
      // A response on its way would show the previous state.
      await queryClient.cancelQueries({ queryKey: LISTS })
      const done = isDone
        ? { done_at: new Date().toISOString(), done_by: signedInEmail() }
        : { done_at: null, done_by: null }
      putTasks(
        tasks.map(({ id }) => id),
        () => done,
      )
      onChange?.(tasks.map((task) => ({ ...task, ...done })))
    },
    onError: (_error, { tasks }) => {
      const before = new Map(tasks.map((task) => [task.id, task]))
      putTasks([...before.keys()], ({ id }) => before.get(id) ?? {})
      onChange?.([...tasks])
      refreshTasks()
    },
    // What is finished stays on screen for a moment, so that it can be opened again.
    onSuccess: () => refreshAfterOwnChange({ kind: 'task', id: null }),
  })
}

/**
 * Reassigns or postpones tasks, as one action.
 * @param handlesErrors the caller shows the errors itself
 */
export function useChangeTasks(handlesErrors = false) {
  return useMutation({
    meta: { handlesErrors },
    scope: { id: 'tasks' },
    mutationFn: async ({ tasks, changes }: { tasks: readonly Task[]; changes: BulkTaskChanges }) => {
      await service.updateTasks({ body: { ids: idsOf(tasks), changes } })
    },
    onSettled: refreshTasks,
  })
}

/** Moves a task to the trash. */
export const useDeleteTask = () =>
  useMutation({
    scope: { id: 'tasks' },
    mutationFn: ({ id }: Task) => service.deleteTask({ params: { id } }),
    onSettled: refreshTasks,
  })

/** Moves tasks to the trash, as one action. */
export async function deleteTasks(tasks: readonly Task[]): Promise<void> {
  await service.deleteTasks({ body: { ids: idsOf(tasks) } })
  refreshTasks()
}

function idsOf(tasks: readonly Task[]): string[] {
  if (tasks.length > MAX_CHANGED_TASKS) throw new UserFacingError(strings.tooMany(MAX_CHANGED_TASKS))
  return tasks.map(({ id }) => id)
}
