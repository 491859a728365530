import { useState } from 'react'
import { strings } from '#strings/tasks.ts'
import { useCan } from '#web/api/use-can.ts'
import { useActions } from '#web/keyboard/actions.ts'
import type { AboutEntry } from '#web/notes/note-text.ts'
import { LazyDialog } from '#web/ui/lazy.tsx'
import { TaskDialog } from './lazy-dialogs.ts'

/** Gmail's key for adding a task. `t` assigns a thesis. */
export const NEW_TASK_KEY = 'T'

/** Offers the key and command that add a task. */
export function useTaskKey(add: () => void): void {
  const mayWrite = useCan('write')
  useActions([
    mayWrite && {
      ...{ id: 'new-task', label: strings.newTask, group: strings.group },
      ...{ keys: [NEW_TASK_KEY], run: add },
    },
  ])
}

/**
 * The key and its dialog.
 * @param about returns the record that the task is about, such as the one in focus
 */
export function TaskKeys({ about }: { about: () => AboutEntry | null }) {
  const [started, setStarted] = useState<{ about: AboutEntry | null } | null>(null)
  const close = () => setStarted(null)
  useTaskKey(() => setStarted({ about: about() }))
  return (
    started && (
      <LazyDialog close={close}>
        <TaskDialog about={started.about} close={close} />
      </LazyDialog>
    )
  )
}
