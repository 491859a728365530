import { strings } from '#strings/tasks.ts'
import { History } from '#web/activity/history.tsx'
import type { Task } from '#web/api/service.ts'
import { Dialog } from '#web/ui/dialog.tsx'

/** The changes of a task. */
export default function TaskHistory({ task, close }: { task: Task; close: () => void }) {
  return (
    <Dialog onClose={close} title={strings.historyOf(task.title)} size="xl">
      <History of="task" id={task.id} />
    </Dialog>
  )
}
