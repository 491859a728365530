import { addDays, localDay, partsOfDay } from './calendar-day.ts'
import { COUNT, countOf, type DayReading, parseDay, plain } from './parse-day.ts'

const CLOCK = '(?<hour>\\d{1,2})(?:[:.](?<minute>\\d{2})(?::\\d{2})?)? ?(?<half>[ap]m)?'
const TIME = `(?<named>noon|midnight)|(?<at>at |@ ?)?${CLOCK}`
const TIME_LAST = new RegExp(`^(?:(?<day>.+?)(?: |(?<=\\d)t|(?=@)))??(?:${TIME})$`)
const TIME_FIRST = new RegExp(`^(?:${TIME}) (?:on )?(?<day>.+)$`)
const DISTANCE = new RegExp(`^(?<ahead>in )?${COUNT} ?(?<unit>h(?:rs?|ours?)?|min(?:s|utes?)?)(?<ago> ago)?$`)
const WITH_OFFSET = /^\d{4}-\d\d-\d\dt\d\d:\d\d[\d:]*(?:z|[+-]\d\d:\d\d)$/
const UNIT_MS = { h: 3_600_000, m: 60_000 }
const NAMED = { noon: '12:00', midnight: '00:00' }

interface MomentReading extends DayReading {
  /** The time of day of a day without one, such as `09:00`. */
  clock?: string
}

/**
 * Reads a day and a time in the time zone of the browser, in which the app shows times: `tomorrow 3pm`, `31 March 14:30`,
 * `in 3 hours`. A time alone is the next one, or with `isPast` the latest one.
 * @returns the moment as ISO 8601; null unless the whole text is a time
 */
export function parseDayTime(text: string, now: Date, reading: MomentReading = {}): string | null {
  const typed = plain(text)
  const today = localDay(now)
  if (typed === 'now') return now.toISOString()
  if (WITH_OFFSET.test(typed)) return isoOf(new Date(typed.toUpperCase()))
  const distance = DISTANCE.exec(typed)?.groups
  if (distance) {
    const { ahead, count, unit = '', ago } = distance
    const isBack = ago !== undefined || (reading.isPast === true && ahead === undefined)
    const size = UNIT_MS[unit.charAt(0) as keyof typeof UNIT_MS]
    return isoOf(new Date(now.getTime() + countOf(count) * size * (isBack ? -1 : 1)))
  }
  const day = parseDay(typed, today, reading)
  if (day) return momentOf(day, reading.clock ?? '09:00')
  const parts = TIME_LAST.exec(typed)?.groups ?? TIME_FIRST.exec(typed)?.groups
  const clock = parts && clockOf(parts)
  if (!clock) return null
  if (parts.day === undefined) return nearest(today, clock, now, reading.isPast === true)
  const typedDay = parseDay(parts.day, today, reading)
  return typedDay && momentOf(typedDay, clock)
}

/** The time of day as `14:30`. A number such as 14 is none without "at" or "pm". */
function clockOf({ named, at, hour, minute, half }: Partial<Record<string, string>>): string | undefined {
  if (named !== undefined) return NAMED[named as keyof typeof NAMED]
  const hours = Number(hour)
  if (minute === undefined && half === undefined && at === undefined) return undefined
  if (half !== undefined && (hours < 1 || hours > 12)) return undefined
  const fullHours = half === undefined ? hours : (hours % 12) + (half === 'pm' ? 12 : 0)
  if (fullHours > 23 || Number(minute ?? 0) > 59) return undefined
  return `${String(fullHours).padStart(2, '0')}:${minute ?? '00'}`
}

function nearest(today: string, clock: string, now: Date, isPast: boolean): string | null {
  const moment = momentOf(today, clock)
  if (moment === null || (isPast ? moment <= now.toISOString() : moment >= now.toISOString())) return moment
  const day = addDays(today, isPast ? -1 : 1)
  return day === undefined ? null : momentOf(day, clock)
}

/** A day and a time of day in the time zone of the browser. A time that daylight saving skips is an hour later. */
export function momentOf(day: string, clock: string): string | null {
  const [year, month, dayOfMonth] = partsOfDay(day)
  const [hours = 0, minutes = 0] = clock.split(':').map(Number)
  return isoOf(new Date(year, month - 1, dayOfMonth, hours, minutes))
}

/** The time of day of a moment, such as `14:30`. */
export const clockOfMoment = (moment: Date): string =>
  `${String(moment.getHours()).padStart(2, '0')}:${String(moment.getMinutes()).padStart(2, '0')}`

const isoOf = (date: Date): string | null => (Number.isNaN(date.getTime()) ? null : date.toISOString())
