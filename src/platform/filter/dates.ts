import { isDate, isDateTime, isInRange } from '#src/platform/schema/formats.ts'
import { localDay, startOfDay } from '#src/platform/schema/time-zone.ts'

const RELATIVE = /^([+-]\d{1,5})([dwmy])$/
const DAY_MS = 86_400_000

/** The moments from one to before another, in milliseconds. */
export interface Moments {
  from: number
  until: number
}

/** The time and the time zone of the request, which decide what "today" is. */
export interface Clock {
  now: Date
  /** The name of an IANA time zone. */
  timeZone: string
}

/**
 * A day as `YYYY-MM-DD` in the years 1 to 9999, from such a text, `today`, or a distance from today such as `-30d`, `+2w`,
 * `-6m` or `-1y`.
 * @returns undefined for other texts
 */
export function parseDay(text: string, clock: Clock): string | undefined {
  if (isDate(text)) return text
  if (text === 'today') return dayText(today(clock))
  const [, distance, unit] = RELATIVE.exec(text) ?? []
  return distance ? dayText(shifted(today(clock), Number(distance), unit as Unit)) : undefined
}

const today = ({ now, timeZone }: Clock): number => localDay(now.getTime(), timeZone)

type Unit = 'd' | 'w' | 'm' | 'y'

function shifted(day: number, distance: number, unit: Unit): number {
  if (unit === 'd' || unit === 'w') return day + distance * (unit === 'w' ? 7 : 1) * DAY_MS
  const date = new Date(day)
  const month = date.getUTCMonth() + distance * (unit === 'y' ? 12 : 1)
  const lastDay = new Date(Date.UTC(date.getUTCFullYear(), month + 1, 0)).getUTCDate()
  date.setUTCMonth(month, Math.min(date.getUTCDate(), lastDay))
  return date.getTime()
}

/** The moments of a day in the time zone, or the millisecond of an RFC 3339 time; undefined for other texts. */
export function parseMoments(text: string, clock: Clock): Moments | undefined {
  const day = parseDay(text, clock)
  if (day) {
    const midnight = Date.parse(`${day}T00:00:00Z`)
    return {
      from: startOfDay(midnight, clock.timeZone),
      until: startOfDay(midnight + DAY_MS, clock.timeZone),
    }
  }
  if (!isDateTime(text)) return undefined
  const from = Date.parse(text)
  return { from, until: from + 1 }
}

const dayText = (day: number): string | undefined =>
  isInRange(day) ? new Date(day).toISOString().slice(0, 10) : undefined
