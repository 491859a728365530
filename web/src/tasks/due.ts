import { addDays, localDay } from '#web/format/calendar-day.ts'
import { formatClock, formatShortWeekday } from '#web/format/days.ts'
import { formatDate } from '#web/format/format.ts'
import { lazily } from '#web/format/lazily.ts'

/** When a task is due: on a day, at a time, or neither. */
export interface Due {
  due_on: string | null
  due_at: string | null
}

export const DUE_GROUPS = ['overdue', 'today', 'week', 'later', 'none'] as const
export type DueGroup = (typeof DUE_GROUPS)[number]

const DAY_MS = 24 * 60 * 60_000
const relative = lazily(() => new Intl.RelativeTimeFormat(undefined, { numeric: 'auto' }))
const daysOfYear = lazily(() => new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'short' }))

/** The day; of a time, in the time zone of the browser. */
export const dueDay = ({ due_on, due_at }: Due): string | null =>
  due_on ?? (due_at === null ? null : localDay(new Date(due_at)))

export const isOverdue = ({ due_on, due_at }: Due, today: string, now = Date.now()): boolean =>
  due_at === null ? due_on !== null && due_on < today : Date.parse(due_at) < now

/** The heading under which a task is listed. */
export function dueGroup(due: Due, today: string, now = Date.now()): DueGroup {
  const day = dueDay(due)
  if (day === null) return 'none'
  if (isOverdue(due, today, now)) return 'overdue'
  if (day <= today) return 'today'
  return day <= (addDays(today, 7) ?? today) ? 'week' : 'later'
}

/** A due date as short as it can be: `Today`, `Tue`, `Mar 31`, or `Tue, 3:00 PM`; null without one. */
export function formatDue(due: Due, today: string): string | null {
  const day = dueDay(due)
  if (day === null) return null
  const text = shortDay(day, today)
  return due.due_at === null ? text : `${text}, ${formatClock(due.due_at)}`
}

function shortDay(day: string, today: string): string {
  const ahead = Math.round((Date.parse(day) - Date.parse(today)) / DAY_MS)
  if (Math.abs(ahead) <= 1) {
    const text = relative().format(ahead, 'day')
    return text.charAt(0).toUpperCase() + text.slice(1)
  }
  if (ahead > 0 && ahead < 7) return formatShortWeekday(`${day}T12:00:00`)
  return day.slice(0, 4) === today.slice(0, 4)
    ? daysOfYear().format(new Date(`${day}T12:00:00`))
    : formatDate(day)
}
