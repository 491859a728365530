import { LRUCache } from 'lru-cache'

/** Used where neither a person nor the workspace has chosen one. */
export const UTC = 'UTC'

const MINUTE_MS = 60_000
const DAY_MS = 1440 * MINUTE_MS
const OFFSET = /^GMT(?:([+-])(\d\d):(\d\d)(?::(\d\d))?)?$/

/** Creating a formatter takes as long as a hundred uses. */
const formatters = new LRUCache<string, Intl.DateTimeFormat>({ max: 100 })

/** Whether the text is the name of an IANA time zone such as Europe/Berlin. An offset such as +02:00 is not. */
export function isTimeZone(text: string): boolean {
  if (!/^[A-Za-z]/.test(text)) return false
  try {
    formatterOf(text)
    return true
  } catch {
    return false
  }
}

/** The day of the calendar in a zone at a moment, as the milliseconds of its midnight in UTC. */
export const localDay = (moment: number, zone: string): number =>
  Math.floor((moment + offsetAt(moment, zone)) / DAY_MS) * DAY_MS

/**
 * The first moment of a day in a zone, in milliseconds. It is not midnight where clocks are set forward then.
 * @param day as the milliseconds of its midnight in UTC
 */
export function startOfDay(day: number, zone: string): number {
  const [before, after] = [day - DAY_MS, day + DAY_MS].map((around) => day - offsetAt(around, zone))
  const first = before as number
  const midnights = [first, after as number].filter((moment) => moment + offsetAt(moment, zone) === day)
  return midnights.length > 0 ? Math.min(...midnights) : first
}

/**
 * The moment at which the clocks of a zone show a time of a day, in milliseconds: the first of two, and as much later as
 * clocks are set forward if they never show it.
 * @param day as the milliseconds of its midnight in UTC
 * @param time the milliseconds since midnight
 */
export function momentAt(day: number, time: number, zone: string): number {
  const shown = day + time
  const [before, after] = [shown - DAY_MS, shown + DAY_MS].map((around) => shown - offsetAt(around, zone))
  const first = before as number
  const matching = [first, after as number].filter((moment) => moment + offsetAt(moment, zone) === shown)
  return matching.length > 0 ? Math.min(...matching) : first
}

/** What the clocks of a zone show at a moment: the milliseconds since midnight. */
export const localTime = (moment: number, zone: string): number =>
  moment + offsetAt(moment, zone) - localDay(moment, zone)

/** How far the clocks of a zone are ahead of UTC at a moment, in milliseconds. */
function offsetAt(moment: number, zone: string): number {
  if (zone === UTC) return 0
  const name = formatterOf(zone)
    .formatToParts(moment)
    .find(({ type }) => type === 'timeZoneName')?.value
  const [, sign, hours = 0, minutes = 0, seconds = 0] = OFFSET.exec(name ?? '') ?? []
  const distance = (Number(hours) * 60 + Number(minutes)) * MINUTE_MS + Number(seconds) * 1000
  return sign === '-' ? -distance : distance
}

function formatterOf(timeZone: string): Intl.DateTimeFormat {
  const known = formatters.get(timeZone)
  if (known) return known
  const formatter = new Intl.DateTimeFormat('en-US', { timeZone, timeZoneName: 'longOffset' })
  formatters.set(timeZone, formatter)
  return formatter
}
