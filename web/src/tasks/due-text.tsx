import { Text, type TextProps, VisuallyHidden } from '@mantine/core'
import { strings } from '#strings/tasks.ts'
import { formatDate, formatMoment } from '#web/format/format.ts'
import { type Due, formatDue, isOverdue } from './due.ts'
import classes from './tasks.module.css'

/** When a task is due, in red once that has passed. Nothing for a task without a date. */
export function DueText({ due, isDone = false, ...props }: { due: Due; isDone?: boolean } & TextProps) {
  const text = formatDue(due)
  if (text === null) return null
  const isLate = !isDone && isOverdue(due)
  const whole = due.due_at === null ? formatDate(due.due_on ?? '') : formatMoment(due.due_at)
  return (
    <Text
      component="time"
      dateTime={due.due_at ?? due.due_on ?? undefined}
      title={whole}
      c="dimmed"
      {...props}
      className={classes.due}
      data-late={isLate || undefined}
    >
      {isLate && <VisuallyHidden>{strings.overdue}: </VisuallyHidden>}
      {text}
    </Text>
  )
}
