import { Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { strings } from '#strings/tasks.ts'
import { AboutLinks } from '#web/activity/record-links.tsx'
import { queries } from '#web/api/queries.ts'
import type { Task } from '#web/api/service.ts'
import { personName } from '#web/fields/people.ts'
import { formatDay } from '#web/format/format.ts'
import { SelectRecord, type SetSelected } from '#web/lists/select-record.tsx'
import { DueText } from '#web/tasks/due-text.tsx'
import { TaskCheck } from '#web/tasks/task-check.tsx'
import { RepeatSign } from '#web/tasks/task-facts.tsx'
import { TaskMenu } from '#web/tasks/task-menu.tsx'
import { Monogram } from '#web/ui/monogram.tsx'
import { TaskLink } from './task-link.tsx'
import classes from './tasks.module.css'

interface TaskRowProps {
  task: Task
  /** undefined: the user may change none. */
  setSelected: SetSelected | undefined
  isSelected: boolean
  /** Whether the tasks may be of several people. */
  showsAssignee: boolean
  setDone: (isDone: boolean) => void
}

/** A task in the list: what, about whom, when, and who. Its title opens the record. */
export function TaskRow({ task, setSelected, isSelected, showsAssignee, setDone }: TaskRowProps) {
  const { id, title, about, assignee_email, done_at, done_by } = task
  const users = useQuery(queries.allUsers()).data ?? []
  const isDone = done_at !== null
  return (
    <li className={classes.row} data-task={id} data-selected={isSelected || undefined}>
      <span className={classes.select}>
        {setSelected && (
          <SelectRecord record={{ id, name: title }} isSelected={isSelected} setSelected={setSelected} />
        )}
      </span>
      <TaskCheck task={task} setDone={setDone} />
      <div className={classes.what}>
        <TaskLink task={task} className={isDone ? classes.done : ''} />
        {about.length > 0 && (
          <Text span size="xs" c="dimmed" className={classes.about}>
            <AboutLinks about={about} />
          </Text>
        )}
      </div>
      <span className={classes.when}>
        <RepeatSign task={task} />
        {isDone ? (
          <Text span size="xs" c="dimmed">
            {strings.finishedBy(personName(done_by ?? '', users), formatDay(done_at))}
          </Text>
        ) : (
          <DueText due={task} size="xs" />
        )}
      </span>
      <span className={classes.who}>
        {showsAssignee && assignee_email && (
          <span title={personName(assignee_email, users)}>
            <Monogram name={personName(assignee_email, users)} size={20} isPerson />
          </span>
        )}
      </span>
      <TaskMenu task={task} />
    </li>
  )
}
