import { Group, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { strings } from '#strings/tasks.ts'
import { AboutLinks } from '#web/activity/record-links.tsx'
import { queries } from '#web/api/queries.ts'
import type { Task } from '#web/api/service.ts'
import { personName } from '#web/fields/people.ts'
import { formatDay } from '#web/format/format.ts'
import { DueText } from './due-text.tsx'
import { TaskCheck } from './task-check.tsx'
import { RepeatSign } from './task-facts.tsx'
import { TaskMenu } from './task-menu.tsx'
import classes from './tasks.module.css'

interface TaskItemProps {
  task: Task
  /** The record whose page shows the task. */
  recordId: string
  setDone: (isDone: boolean) => void
}

/** A task on the page of a record: when it is due, who does it, what else it is about, and its menu. */
export function TaskItem({ task, recordId, setDone }: TaskItemProps) {
  const { title, assignee_email, done_at, done_by } = task
  const users = useQuery(queries.allUsers()).data ?? []
  const others = task.about.filter(({ id }) => id !== recordId)
  const isDone = done_at !== null
  return (
    <div className={classes.item} data-task={task.id}>
      <TaskCheck task={task} setDone={setDone} />
      <div className={classes.text}>
        <Text size="sm" className={`break-anywhere ${isDone ? classes.done : ''}`} dir="auto">
          {title}
        </Text>
        <Group gap="0.125rem 0.5rem" fz="xs" c="dimmed">
          {isDone ? (
            <span>{strings.finishedBy(personName(done_by ?? '', users), formatDay(done_at))}</span>
          ) : (
            <DueText due={task} inherit />
          )}
          {!isDone && assignee_email && <bdi>{personName(assignee_email, users)}</bdi>}
          <RepeatSign task={task} />
          {others.length > 0 && (
            <span>
              <AboutLinks about={others} />
            </span>
          )}
        </Group>
      </div>
      <TaskMenu task={task} />
    </div>
  )
}
