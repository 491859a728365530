import { Button, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { strings } from '#strings/tasks.ts'
import { taskQueries } from '#web/api/task-queries.ts'
import { useCan } from '#web/api/use-can.ts'
import { ScreenLink } from '#web/ui/link.tsx'
import { Section } from '#web/ui/section.tsx'
import { ErrorState, SkeletonLines } from '#web/ui/states.tsx'
import { TaskItem } from './task-item.tsx'
import classes from './tasks.module.css'
import { useFinishedTasks } from './use-finished-tasks.ts'
import { useFinishTasks } from './use-task-actions.ts'
import { withFinished } from './with-finished.ts'

const SHOWN = 10

interface RecordTasksProps {
  id: string
  /** Adds a task about it. */
  add: () => void
}

/** The open tasks of a record, due first. What is finished stays, struck through, while the page is open. */
export function RecordTasks({ id, add }: RecordTasksProps) {
  const mayWrite = useCan('write')
  const tasks = useQuery(taskQueries.tasks({ about: [id], done: false, limit: SHOWN }))
  const [finished, keepFinished] = useFinishedTasks()
  const { mutate: finish } = useFinishTasks(keepFinished)
  const rows = withFinished(tasks.data?.data ?? [], finished)
  const more = (tasks.data?.pagination.total ?? 0) - (tasks.data?.data.length ?? 0)
  return (
    <Section
      title={strings.ofRecord}
      actions={
        mayWrite && (
          <Button size="compact-sm" variant="default" aria-label={strings.addTask} onClick={add}>
            {strings.add}
          </Button>
        )
      }
    >
      {tasks.isPending && <SkeletonLines lines={2} />}
      {tasks.isError && !tasks.data && <ErrorState error={tasks.error} retry={() => tasks.refetch()} />}
      {tasks.isSuccess && rows.length === 0 && (
        <Text size="sm" c="dimmed">
          {strings.noneOfRecord}
        </Text>
      )}
      {rows.length > 0 && (
        <ul className={classes.list}>
          {rows.map((task) => (
            <li key={task.id}>
              <TaskItem task={task} recordId={id} setDone={(isDone) => finish({ tasks: [task], isDone })} />
            </li>
          ))}
        </ul>
      )}
      {more > 0 && (
        <ScreenLink to="/tasks" search={{ view: 'all', about: id }} size="sm">
          {strings.moreOfRecord(more)}
        </ScreenLink>
      )}
    </Section>
  )
}
