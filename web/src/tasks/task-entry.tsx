import type { Task } from '#web/api/service.ts'
import { TaskItem } from './task-item.tsx'
import { useFinishedTasks } from './use-finished-tasks.ts'
import { useFinishTasks } from './use-task-actions.ts'

/** A task in the timeline of a record. It can be finished there. */
export function TaskEntry({ task, recordId }: { task: Task; recordId: string }) {
  const [changed, keep] = useFinishedTasks()
  const { mutate: finish } = useFinishTasks(keep)
  const own = changed.get(task.id)
  // Until the timeline is loaded again.
  const shown = own && own.updated_at >= task.updated_at ? own : task
  return (
    <TaskItem task={shown} recordId={recordId} setDone={(isDone) => finish({ tasks: [shown], isDone })} />
  )
}
