import { localDay, localTime, startOfDay } from '#src/platform/schema/time-zone.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

/** A day of a person's calendar, and the moment at which it ends, in milliseconds. */
export interface Day {
  /** As `YYYY-MM-DD`. */
  date: string
  end: number
}

/** The day that a moment is on in a time zone. */
export function dayAt(now: Date, timeZone: string): Day {
  const day = localDay(now.getTime(), timeZone)
  return { date: new Date(day).toISOString().slice(0, 10), end: startOfDay(day + DAY_MS, timeZone) }
}

/**
 * Whether the digest of the day is due: the clock on the wall shows its hour or a later one. Where clocks skip that hour,
 * it is due at the next one.
 */
export const isDigestDue = (now: Date, timeZone: string, hour: number): boolean =>
  localTime(now.getTime(), timeZone) >= hour * HOUR_MS
