import { isDate, isDateTime, isInRange } from '#src/platform/schema/formats.ts'

const RELATIVE = /^([+-]\d{1,5})([dwmy])$/
const DAY_MS = 86_400_000

/** The moments from one to before another, in milliseconds. */
export interface Moments {
  from: number
  until: number
}

/**
 * A day as `YYYY-MM-DD` in the years 1 to 9999, from such a text, `today`, or a distance from today such as `-30d`, `+2w`,
 * `-6m` or `-1y`.
 * @returns undefined for other texts
 */
export function parseDay(text: string, now: Date): string | undefined {
  if (isDate(text)) return text
  if (text === 'today') return dayOf(now.getTime())
  const [, distance, unit] = RELATIVE.exec(text) ?? []
  return distance ? dayOf(shifted(now, Number(distance), unit as Unit)) : undefined
}

type Unit = 'd' | 'w' | 'm' | 'y'

function shifted(now: Date, distance: number, unit: Unit): number {
  if (unit === 'd' || unit === 'w') return now.getTime() + distance * (unit === 'w' ? 7 : 1) * DAY_MS
  const date = new Date(now)
  const month = date.getUTCMonth() + distance * (unit === 'y' ? 12 : 1)
  const lastDay = new Date(Date.UTC(date.getUTCFullYear(), month + 1, 0)).getUTCDate()
  date.setUTCMonth(month, Math.min(date.getUTCDate(), lastDay))
  return date.getTime()
}

/** The moments of a day, or the millisecond of an RFC 3339 time; undefined for other texts. */
export function parseMoments(text: string, now: Date): Moments | undefined {
  const day = parseDay(text, now)
  if (day) {
    const from = Date.parse(`${day}T00:00:00Z`)
    return { from, until: from + DAY_MS }
  }
  if (!isDateTime(text)) return undefined
  const from = Date.parse(text)
  return { from, until: from + 1 }
}

const dayOf = (moment: number): string | undefined =>
  isInRange(moment) ? new Date(moment).toISOString().slice(0, 10) : undefined
