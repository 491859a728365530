import { VisuallyHidden } from '@mantine/core'
import { strings } from '#strings/tasks.ts'
import { formatDate, formatMoment } from '#web/format/format.ts'
import { type Due, formatDue, isOverdue } from './due.ts'
import { ownToday } from './own-today.ts'
import classes from './tasks.module.css'

/** The open task of a record that is due first. */
export type NextStep = Due & { task_id: string; title: string; assignee_email: string | null }

/** A next step in one line, such as `Tue · Call Ingrid`; its date in red once that has passed. */
export function NextStepText({ step }: { step: NextStep }) {
  const today = ownToday()
  const due = formatDue(step, today)
  const isLate = isOverdue(step, today)
  const whole = step.due_at === null ? step.due_on && formatDate(step.due_on) : formatMoment(step.due_at)
  return (
    <span className={classes.step} dir="auto" title={strings.nextStepOf(whole, step.title)}>
      {due !== null && (
        <span className={classes.due} data-late={isLate || undefined}>
          {isLate && <VisuallyHidden>{strings.overdue}: </VisuallyHidden>}
          {due}
        </span>
      )}
      {due !== null && ' · '}
      {step.title}
    </span>
  )
}
