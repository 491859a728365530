import { UnstyledButton } from '@mantine/core'
import { IconCheck } from '@tabler/icons-react'
import { strings } from '#strings/tasks.ts'
import type { Task } from '#web/api/service.ts'
import classes from './tasks.module.css'
import { useMayChangeTasks } from './use-may-change-task.ts'

interface TaskCheckProps {
  task: Pick<Task, 'title' | 'done_at' | 'author_email' | 'assignee_email'>
  setDone: (isDone: boolean) => void
}

/** The round checkbox that finishes a task, or opens it again. */
export function TaskCheck({ task, setDone }: TaskCheckProps) {
  const mayChange = useMayChangeTasks()(task)
  const isDone = task.done_at !== null
  return (
    <UnstyledButton
      role="checkbox"
      aria-checked={isDone}
      aria-label={isDone ? strings.reopen(task.title) : strings.finish(task.title)}
      className={classes.check}
      data-done={isDone || undefined}
      disabled={!mayChange}
      title={mayChange ? undefined : strings.notYours(task.title)}
      onClick={() => setDone(!isDone)}
    >
      <IconCheck size={12} stroke={3} aria-hidden />
    </UnstyledButton>
  )
}
