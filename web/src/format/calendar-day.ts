const DAY_MS = 24 * 60 * 60_000

/** A day such as `2026-03-01`, or undefined if the calendar does not have it or its year does not have four digits. */
export function dayOf(year: number, month: number, day: number): string | undefined {
  const date = new Date(Date.UTC(2000, month - 1, day))
  date.setUTCFullYear(year, month - 1, day)
  const exists = date.getUTCMonth() === month - 1 && date.getUTCDate() === day
  return exists ? textOf(date) : undefined
}

const textOf = (date: Date): string | undefined =>
  date.getUTCFullYear() >= 1000 && date.getUTCFullYear() <= 9999 ? date.toISOString().slice(0, 10) : undefined

/** Year, month from 1, and day of the month. */
export const partsOfDay = (day: string): [year: number, month: number, day: number] =>
  day.split('-').map(Number) as [number, number, number]

/** The day some days later, or earlier if `count` is negative. */
export const addDays = (day: string, count: number): string | undefined =>
  textOf(new Date(Date.parse(day) + count * DAY_MS))

/** The same day of another month, or the last one of a shorter month. */
export function addMonths(day: string, count: number): string | undefined {
  const [year, month, dayOfMonth] = partsOfDay(day)
  const index = year * 12 + month - 1 + count
  const [newYear, newMonth] = [Math.floor(index / 12), (((index % 12) + 12) % 12) + 1]
  const last = new Date(Date.UTC(2000, newMonth, 0))
  last.setUTCFullYear(newYear, newMonth, 0)
  return dayOf(newYear, newMonth, Math.min(dayOfMonth, last.getUTCDate()))
}

/** 0 for Monday to 6 for Sunday. */
export const weekdayOf = (day: string): number => (new Date(day).getUTCDay() + 6) % 7

/** The day of a moment in the time zone of the browser. */
export const localDay = (moment: Date): string =>
  `${moment.getFullYear()}`.padStart(4, '0') +
  `-${`${moment.getMonth() + 1}`.padStart(2, '0')}-${`${moment.getDate()}`.padStart(2, '0')}`

/** Today in a time zone; without one, in that of the browser. */
export function todayIn(timeZone: string | undefined, now = new Date()): string {
  if (timeZone === undefined) return localDay(now)
  // Canada writes dates as ISO 8601 does.
  return new Intl.DateTimeFormat('en-CA', { timeZone }).format(now)
}
