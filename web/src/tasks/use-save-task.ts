import { useMutation } from '@tanstack/react-query'
import { queryClient } from '#web/api/query-client.ts'
import { service, type Task } from '#web/api/service.ts'
import { taskQueries } from '#web/api/task-queries.ts'
import { ifMatch, isConflict } from '#web/editing/if-match.ts'
import { isUntouched } from '#web/editing/record-changes.ts'
import { saveIfUnchanged } from '#web/editing/save-if-unchanged.ts'
import { useIsMounted } from '#web/ui/use-is-mounted.ts'
import { requestBody, requestChanges, type TaskText, textOf } from './task-text.ts'

/** What shows tasks and next steps. */
const AFFECTED = [
  ...['tasks', 'companies', 'deals', 'people', 'timeline', 'activity', 'history', 'trash', 'calendar'],
]

/** Refetches everything that shows tasks. */
export function refreshTasks(): void {
  for (const resource of AFFECTED) queryClient.invalidateQueries({ queryKey: [resource] })
}

/** Someone else saved the task first. */
class TaskConflict extends Error {
  readonly remote: Task
  /** The email address of whoever saved it, if that is known. */
  readonly editor: string | null

  constructor(remote: Task, editor: string | null) {
    super('Someone else saved the task first.')
    this.name = 'TaskConflict'
    this.remote = remote
    this.editor = editor
  }
}

interface TaskToSave {
  text: TaskText
  /** So that a repeated request creates no second task. */
  key: string
  /** The task that changes, and its text when editing began. */
  changed?: { id: string; from: TaskText; updatedAt: string }
}

/** Saves a task. `remote` is the version that someone else saved, and `editor` who did, if that is why it failed. */
export function useSaveTask(onSaved: () => void) {
  const save = useMutation({
    meta: { handlesErrors: useIsMounted() },
    mutationFn: async ({ text, key, changed }: TaskToSave): Promise<void> => {
      if (changed) return await saveChanges(changed, text)
      await service.createTask({ body: requestBody(text), ...{ headers: { 'idempotency-key': key } } })
    },
    onSuccess: () => {
      refreshTasks()
      onSaved()
    },
  })
  const conflict = save.error instanceof TaskConflict ? save.error : null
  return { save, remote: conflict?.remote ?? null, editor: conflict?.editor ?? null }
}

async function saveChanges(
  { id, from, updatedAt }: NonNullable<TaskToSave['changed']>,
  text: TaskText,
): Promise<void> {
  const body = requestChanges(text, from)
  if (Object.keys(body).length === 0) return
  const seen = requestBody(from)
  const reload = () => queryClient.fetchQuery({ ...taskQueries.task(id), staleTime: 0 })
  try {
    await saveIfUnchanged<Task>({
      record: { updated_at: updatedAt },
      send: async (updated) => (await service.updateTask({ params: { id }, body, ...ifMatch(updated) })).data,
      reload,
      isUnchanged: (newest) => isUntouched(seen, body, requestBody(textOf(newest))),
    })
  } catch (error) {
    if (!isConflict(error)) throw error
    const [remote, editor] = await Promise.all([reload(), lastEditor(id)])
    throw new TaskConflict(remote, editor)
  }
}

/** Who last changed a task; null if that cannot be found out, which must not hide the conflict. */
const lastEditor = (id: string): Promise<string | null> =>
  service
    .getTaskHistory({ params: { id }, querystring: { limit: 1 } })
    .then(({ data: [latest] }) => latest?.user_email ?? null)
    .catch(() => null)
