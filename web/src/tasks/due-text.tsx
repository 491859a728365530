import { Text, type TextProps, VisuallyHidden } from '@mantine/core'
import { strings } from '#strings/tasks.ts'
import { formatDate, formatMoment } from '#web/format/format.ts'
import { type Due, formatDue, isOverdue } from './due.ts'
import { ownToday } from './own-today.ts'
import classes from './tasks.module.css'

interface DueTextProps extends TextProps {
  due: Due
  isDone?: boolean
}

/** When a task is due, in red once that has passed. Nothing for a task without a date. */
export function DueText({ due, isDone = false, className = '', ...props }: DueTextProps) {
  const text = formatDue(due, ownToday())
  if (text === null) return null
  const isLate = !isDone && isOverdue(due, ownToday())
  const whole = due.due_at === null ? formatDate(due.due_on ?? '') : formatMoment(due.due_at)
  return (
    <Text
      component="time"
      dateTime={due.due_at ?? due.due_on ?? undefined}
      title={whole}
      {...(!isLate && { c: 'dimmed' })}
      {...props}
      className={`${classes.due} ${className}`}
      data-late={isLate || undefined}
    >
      {isLate && <VisuallyHidden>{strings.overdue}: </VisuallyHidden>}
      {text}
    </Text>
  )
}
