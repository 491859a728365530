import { formatDay, formatMoment } from './format.ts'
import { lazily } from './lazily.ts'

const clock = lazily(() => new Intl.DateTimeFormat(undefined, { timeStyle: 'short' }))
const longDays = lazily(
  () =>
    new Intl.DateTimeFormat(undefined, { weekday: 'long', day: 'numeric', month: 'long', year: 'numeric' }),
)
const weekdays = lazily(() => new Intl.DateTimeFormat(undefined, { weekday: 'long' }))
const months = lazily(() => new Intl.DateTimeFormat(undefined, { month: 'long', year: 'numeric' }))
const relative = lazily(() => new Intl.RelativeTimeFormat(undefined, { numeric: 'auto' }))
const DAY_MS = 24 * 60 * 60_000

const startOfDay = (moment: Date): number =>
  new Date(moment.getFullYear(), moment.getMonth(), moment.getDate()).getTime()

/** The time of day in the user's time zone. */
export const formatClock = (timestamp: string): string => clock().format(new Date(timestamp))

/** The time of day, with the day unless it is today. */
export const formatMomentOrClock = (timestamp: string): string =>
  startOfDay(new Date(timestamp)) === startOfDay(new Date())
    ? formatClock(timestamp)
    : formatMoment(timestamp)

/** A day as a heading: `Today`, `Yesterday`, or the weekday and date. */
export function formatDayHeading(timestamp: string, now = new Date()): string {
  const day = new Date(timestamp)
  const daysAgo = Math.round((startOfDay(now) - startOfDay(day)) / DAY_MS)
  const text = daysAgo === 0 || daysAgo === 1 ? relative().format(-daysAgo, 'day') : longDays().format(day)
  return text.charAt(0).toUpperCase() + text.slice(1)
}

/** A month as a heading, such as `March 2026`. */
export const formatMonthHeading = (timestamp: string): string => months().format(new Date(timestamp))

/** A day for the middle of a sentence: `yesterday`, the weekday in the last week, or the date. */
export function formatDayOfLastWeek(timestamp: string, now = new Date()): string {
  const day = new Date(timestamp)
  const daysAgo = Math.round((startOfDay(now) - startOfDay(day)) / DAY_MS)
  if (daysAgo <= 1) return relative().format(-Math.max(0, daysAgo), 'day')
  return daysAgo < 7 ? weekdays().format(day) : formatDay(timestamp)
}
