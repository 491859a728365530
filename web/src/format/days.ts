import { formatMoment } from './format.ts'
import { lazily } from './lazily.ts'

const clock = lazily(() => new Intl.DateTimeFormat(undefined, { timeStyle: 'short' }))
const longDays = lazily(
  () =>
    new Intl.DateTimeFormat(undefined, { weekday: 'long', day: 'numeric', month: 'long', year: 'numeric' }),
)
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

/** How many midnights have passed since. */
export const daysAgo = (timestamp: string, now = new Date()): number =>
  Math.round((startOfDay(now) - startOfDay(new Date(timestamp))) / DAY_MS)

/** A day as a heading: `Today`, `Yesterday`, or the weekday and date. */
export function formatDayHeading(timestamp: string, now = new Date()): string {
  const days = daysAgo(timestamp, now)
  const text =
    days === 0 || days === 1 ? relative().format(-days, 'day') : longDays().format(new Date(timestamp))
  return text.charAt(0).toUpperCase() + text.slice(1)
}

/** A month as a heading, such as `March 2026`. */
export const formatMonthHeading = (timestamp: string): string => months().format(new Date(timestamp))

/** An hour of the day, such as `8:00 AM`. */
export const formatHour = (hour: number): string => clock().format(new Date(2026, 0, 1, hour))
