import { useMediaQuery } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { NotFound } from '#src/client/errors.ts'
import { strings } from '#strings/tasks.ts'
import { UserFacingError } from '#web/api/error-message.ts'
import { queries } from '#web/api/queries.ts'
import type { Task } from '#web/api/service.ts'
import { taskQueries } from '#web/api/task-queries.ts'
import type { AboutEntry } from '#web/notes/note-text.ts'
import { Dialog } from '#web/ui/dialog.tsx'
import { ErrorState, SkeletonLines } from '#web/ui/states.tsx'
import { TaskForm } from './task-form.tsx'

/** A new task, or the one to change, which may only be known by its id. */
export interface TaskStart {
  /** The record of the page. */
  about?: AboutEntry | null
  task?: Task
  id?: string
}

/** The dialog that adds a task, or changes one. */
export default function TaskDialog({ about = null, task, id, close }: TaskStart & { close: () => void }) {
  const isNarrow = useMediaQuery('(max-width: 36em)', false, { getInitialValueInEffect: false })
  const { data: me } = useQuery(queries.me())
  const found = useQuery({ ...taskQueries.task(id ?? ''), enabled: task === undefined && id !== undefined })
  const changed = task ?? found.data
  const isNew = task === undefined && id === undefined
  return (
    <Dialog
      onClose={close}
      title={isNew ? strings.newTask : strings.editTask}
      size="lg"
      fullScreen={isNarrow}
    >
      {found.isError && !changed && (
        <ErrorState
          error={found.error instanceof NotFound ? new UserFacingError(strings.gone) : found.error}
          {...(!(found.error instanceof NotFound) && { retry: () => found.refetch() })}
        />
      )}
      {changed ? (
        <TaskForm key={changed.id} task={changed} about={[]} assignee={null} close={close} />
      ) : isNew && me ? (
        <TaskForm about={about ? [about] : []} assignee={me.email} close={close} />
      ) : (
        !found.isError && <SkeletonLines lines={6} />
      )}
    </Dialog>
  )
}
