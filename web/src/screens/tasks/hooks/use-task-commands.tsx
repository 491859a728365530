import { type ReactNode, useState } from 'react'
import { strings } from '#strings/tasks.ts'
import type { Task } from '#web/api/service.ts'
import { useCan } from '#web/api/use-can.ts'
import { useActions } from '#web/keyboard/actions.ts'
import { PostponeDialog, TaskDialog } from '#web/tasks/lazy-dialogs.ts'
import { deleteTasks, useChangeTasks, useDeleteTask } from '#web/tasks/use-task-actions.ts'
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx'
import { LazyDialog } from '#web/ui/lazy.tsx'
import { ReassignDialog } from '../components/reassign-dialog.tsx'

interface TaskCommandsProps {
  selected: readonly Task[]
  clear: () => void
  /** The task that has the focus. */
  focused: () => Task | undefined
  setDone: (tasks: readonly Task[], isDone: boolean) => void
  /** Moves the focus to the next task. */
  advance: () => void
  add: () => void
}

/** What the bar of the selected tasks and the keys do: with those that are selected, or else the one in focus. */
export interface TaskCommands {
  finish: () => void
  postpone: () => void
  reassign: () => void
  remove: () => void
  /** The open dialog. */
  dialog: ReactNode
}

type Kind = 'edit' | 'postpone' | 'reassign' | 'remove'

/** Offers the keys that finish, edit, postpone, reassign, and delete tasks. */
export function useTaskCommands(props: TaskCommandsProps): TaskCommands {
  const { selected, clear, focused, setDone, advance, add } = props
  const [dialog, setDialog] = useState<{ kind: Kind; tasks: readonly Task[] } | null>(null)
  const mayWrite = useCan('write')
  const { mutate: change } = useChangeTasks()
  const { mutate: removeOne } = useDeleteTask()
  const targets = (): readonly Task[] => {
    const one = focused()
    return selected.length > 0 ? selected : one ? [one] : []
  }
  const open = (kind: Kind) => {
    const tasks = targets()
    if (tasks.length > 0) setDialog({ kind, tasks })
  }
  const close = () => setDialog(null)
  const finish = () => {
    const tasks = targets()
    const [first] = tasks
    if (!first) return
    const isDone = tasks.length > 1 || first.done_at === null
    setDone(isDone ? tasks.filter(({ done_at }) => done_at === null) : tasks, isDone)
    if (selected.length > 0) clear()
    else if (isDone) advance()
  }
  const remove = () => {
    const tasks = targets()
    const [first, ...others] = tasks
    if (others.length > 0) setDialog({ kind: 'remove', tasks })
    else if (first) {
      advance()
      removeOne(first, { onSuccess: clear })
    }
  }
  const edit = () => {
    const task = focused()
    if (task) setDialog({ kind: 'edit', tasks: [task] })
  }
  const { group } = strings
  const shared = { group, isHidden: selected.length === 0 }
  useActions([
    mayWrite && { id: 'new-task-here', label: strings.newTask, group, keys: ['c'], run: add, isHidden: true },
    mayWrite && { id: 'finish-tasks', label: strings.finishKey, keys: ['e'], run: finish, ...shared },
    mayWrite && { id: 'edit-task', label: strings.editKey, keys: ['i'], run: edit, group, isHidden: true },
    mayWrite && {
      ...{ id: 'postpone-tasks', label: strings.postponeKey, keys: ['b'] },
      ...{ run: () => open('postpone'), ...shared },
    },
    mayWrite && {
      ...{ id: 'reassign-tasks', label: strings.reassignKey, keys: ['o'] },
      ...{ run: () => open('reassign'), ...shared },
    },
    mayWrite && { id: 'delete-tasks', label: strings.deleteKey, keys: ['Delete'], run: remove, ...shared },
  ])
  return {
    finish,
    postpone: () => open('postpone'),
    reassign: () => open('reassign'),
    remove,
    dialog: dialog && (
      <Opened
        {...dialog}
        close={close}
        changed={clear}
        reassign={(email) =>
          change({ tasks: dialog.tasks, changes: { assignee_email: email } }, { onSuccess: clear })
        }
        remove={async () => {
          await deleteTasks(dialog.tasks)
          clear()
        }}
      />
    ),
  }
}

interface OpenedProps {
  kind: Kind
  tasks: readonly Task[]
  close: () => void
  /** Called once the tasks are changed. */
  changed: () => void
  reassign: (email: string | null) => void
  remove: () => Promise<void>
}

function Opened({ kind, tasks, close, changed, reassign, remove }: OpenedProps) {
  const [first] = tasks
  if (kind === 'reassign') return <ReassignDialog tasks={tasks} reassign={reassign} close={close} />
  if (kind === 'remove')
    return (
      <ConfirmDialog
        title={strings.deleteTitle(tasks.length)}
        confirm={strings.deleteSelected(tasks.length)}
        isDangerous
        act={remove}
        close={close}
      >
        {strings.deleteHelp}
      </ConfirmDialog>
    )
  return (
    <LazyDialog close={close}>
      {kind === 'edit' && first && <TaskDialog task={first} close={close} />}
      {kind === 'postpone' && <PostponeDialog tasks={tasks} postponed={changed} close={close} />}
    </LazyDialog>
  )
}
