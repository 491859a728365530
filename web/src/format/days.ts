import { formatDay, formatMoment } from './format.ts'
import { lazily } from './lazily.ts'

const clock = lazily(() => new Intl.DateTimeFormat(undefined, { timeStyle: 'short' }))
const longDays = lazily(
  () =>
    new Intl.DateTimeFormat(undefined, { weekday: 'long', day: 'numeric', month: 'long', year: 'numeric' }),
)
const weekdays = lazily(
  () => new Intl.DateTimeFormat(undefined, { weekday: 'long', day: 'numeric', month: 'long' }),
)
const shortWeekdays = lazily(() => new Intl.DateTimeFormat(undefined, { weekday: 'short' }))
const weekdayNames = lazily(() => new Intl.DateTimeFormat(undefined, { weekday: 'long' }))
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

/** A day for the middle of a sentence: `yesterday`, the weekday in the last week, or the date. */
export function formatDayOfLastWeek(timestamp: string, now = new Date()): string {
  const day = new Date(timestamp)
  const daysAgo = Math.round((startOfDay(now) - startOfDay(day)) / DAY_MS)
  if (daysAgo <= 1) return relative().format(-Math.max(0, daysAgo), 'day')
  return daysAgo < 7 ? weekdayNames().format(day) : formatDay(timestamp)
}

/** A day in full: `Tuesday, December 8, 2026`. */
export const formatFullDay = (timestamp: string): string => longDays().format(new Date(timestamp))
/** A day with its weekday, and with its year unless that is the present one: `Tuesday, December 8`. */
export function formatWeekday(timestamp: string, now = new Date()): string {
  const day = new Date(timestamp)
  return (day.getFullYear() === now.getFullYear() ? weekdays() : longDays()).format(day)
}
/** The same with the time of day. */
export const formatWeekdayAndClock = (timestamp: string): string =>
  `${formatWeekday(timestamp)}, ${formatClock(timestamp)}`
/** A weekday as the heading of a column: `Tue`. */
export const formatShortWeekday = (timestamp: string): string => shortWeekdays().format(new Date(timestamp))
interface WeekInfo {
  /** 1 for Monday to 7 for Sunday. */
  firstDay: number
}
/** The day that weeks begin with where the user is: 0 for Monday to 6 for Sunday. Monday if the browser does not know. */
export function firstWeekday(): number {
  const locale = new Intl.Locale(new Intl.DateTimeFormat().resolvedOptions().locale) as Intl.Locale & {
    getWeekInfo?: () => WeekInfo
  }
  return (locale.getWeekInfo?.().firstDay ?? 1) - 1
}
/** An hour of the day, such as `8:00 AM`. */
export const formatHour = (hour: number): string => clock().format(new Date(2026, 0, 1, hour))
