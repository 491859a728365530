import { isWebUrl } from '#src/platform/network/addresses.ts'
import { isCountryCode } from './countries.ts'
import { isTimeZone } from './time-zone.ts'

/** PostgreSQL has no year 0, and no offset of 16 hours or more. */
const DATE_TIME =
  /^(?!0000)(\d{4})-(\d\d)-(\d\d)T\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?(?:Z|[+-](?:0\d|1[0-5]):?[0-5]\d)$/
const FIRST_MOMENT = Date.parse('0001-01-01T00:00:00Z')
const LAST_MOMENT = Date.parse('9999-12-31T23:59:59.999Z')

/** Whether the moment, in milliseconds since 1970, is in the years 1 to 9999 in UTC, which RFC 3339 can express. */
export const isInRange = (moment: number): boolean => moment >= FIRST_MOMENT && moment <= LAST_MOMENT

/**
 * Whether the text is an RFC 3339 time in the years 1 to 9999, or one of ISO 8601 without seconds or without the colon of
 * its offset, as in 2026-03-01T10:00+0000. `Date.parse` alone accepts "foo 1" and February 30.
 */
export function isDateTime(text: string): boolean {
  const [, year, month, day] = DATE_TIME.exec(text) ?? []
  if (!year || !isInRange(Date.parse(text))) return false
  return new Date(`${year}-${month}-${day}T00:00:00Z`).getUTCDate() === Number(day)
}

/** Whether the text is a day of the calendar in the years 1 to 9999, such as 2026-03-31. */
export const isDate = (text: string): boolean => text.length === 10 && isDateTime(`${text}T00:00:00Z`)

const TIME = '"\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d(?:\\.\\d{1,9})?Z"'
const TIMES = new RegExp(`^(?:\\*|${TIME}(?:[ \\t]*,[ \\t]*${TIME})*)$`)

/** The times in an `If-Match` header; none for `*`. */
export const timesIn = (ifMatch: string): string[] =>
  ifMatch.split(',').map((time) => time.trim().slice(1, -1))

const isMatchable = (text: string): boolean =>
  TIMES.test(text) && (text === '*' || timesIn(text).every(isDateTime))

/** The string formats that schemas may use, with their names in messages. */
export const formats = {
  'country-code': { name: 'a two-letter ISO 3166-1 country code, such as DE', isValid: isCountryCode },
  'time-zone': { name: 'an IANA time zone such as Europe/Berlin', isValid: isTimeZone },
  'web-address': { name: 'a URL such as https://www.example.com', isValid: isWebUrl },
  date: { name: 'a date such as 2026-03-02', isValid: isDate },
  'date-time': {
    name: 'a time such as 2026-03-02T09:30:00.000Z',
    isValid: isDateTime,
  },
  'if-match': {
    name: `the record's updated_at in double quotes, such as "2026-03-02T09:30:00.000Z", a comma-separated list of such values, or *`,
    isValid: isMatchable,
  },
} as const
