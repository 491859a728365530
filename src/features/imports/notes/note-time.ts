import { isDate } from '#src/platform/schema/formats.ts'
import { type DateFormat, readDate } from '../cells/dates.ts'
import type { Reading } from '../cells/reading.ts'

const INSTANT =
  /^(\d{4}-\d{2}-\d{2})[T ](\d{1,2}):(\d{2})(?::(\d{2})(?:\.\d+)?)?\s*(Z|UTC|GMT|[+-]\d{2}:?\d{2})?$/i
const CLOCK =
  /(?:^|[\sT,])(\d{1,2}):(\d{2})(?::(\d{2})(?:\.\d+)?)?\s*([ap])?\.?\s?m?\.?(?:\s*(?:Z|UTC|GMT))?$/i
const NOON = '12:00:00'
const ONLY_DAY = 'The time of day cannot be read, so only the day was stored.'
const MILLISECONDS = /^1\d{12}$/

/**
 * Reads when something happened. Times without a zone are in UTC, and a day alone is its noon, so that it is the same day in
 * most zones.
 * @param field its name, for messages
 */
export function readTime(text: string, format: DateFormat, field: string): Reading<string> {
  if (MILLISECONDS.test(text)) return { value: new Date(Number(text)).toISOString() }
  const [, day, hour = '', minute = '', second = '00', zone = 'Z'] = INSTANT.exec(text) ?? []
  if (day && isDate(day) && Number(hour) < 24 && Number(minute) < 60 && Number(second) < 60) {
    const offset = /^[+-]/.test(zone) ? zone.replace(/^(...):?/, '$1:') : 'Z'
    const time = new Date(`${day}T${hour.padStart(2, '0')}:${minute}:${second}${offset}`)
    if (!Number.isNaN(time.getTime())) return { value: time.toISOString() }
  }
  const { value, error } = readDate(text, format, field)
  if (value === undefined) return error === undefined ? {} : { error }
  const clock = clockOf(text)
  if (clock === undefined && /\d:\d/.test(text)) return { value: `${value}T${NOON}.000Z`, note: ONLY_DAY }
  return { value: `${value}T${clock ?? NOON}.000Z` }
}

function clockOf(text: string): string | undefined {
  const [, hours, minutes, seconds = '00', half] = CLOCK.exec(text) ?? []
  if (hours === undefined || Number(hours) > 23 || Number(minutes) > 59) return undefined
  const hour = half ? (Number(hours) % 12) + (half.toLowerCase() === 'p' ? 12 : 0) : Number(hours)
  return `${String(hour).padStart(2, '0')}:${minutes}:${seconds}`
}
