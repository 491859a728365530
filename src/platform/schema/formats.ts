import { isWebAddress } from '#src/platform/network/addresses.ts'
import { isCountryCode } from './countries.ts'

const TIME = '"\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d(?:\\.\\d{1,9})?Z"'
const TIMES = new RegExp(`^(?:\\*|${TIME}(?:[ \\t]*,[ \\t]*${TIME})*)$`)

/** The times in an `If-Match` header; `*` has none. */
export const timesIn = (ifMatch: string): string[] =>
  ifMatch.split(',').map((time) => time.trim().slice(1, -1))

const isMatchable = (text: string): boolean =>
  TIMES.test(text) && (text === '*' || timesIn(text).every((time) => !Number.isNaN(Date.parse(time))))

/** The string formats that schemas may use, each with how a message calls it. */
export const formats = {
  'country-code': { name: 'a two-letter country code of ISO 3166-1, such as DE', isValid: isCountryCode },
  'web-address': { name: 'an address such as https://www.example.com', isValid: isWebAddress },
  'date-time': {
    name: 'a time such as 2026-03-02T09:30:00.000Z',
    isValid: (text: string) => !Number.isNaN(Date.parse(text)),
  },
  'if-match': {
    name: `the record's updated_at in double quotes, such as "2026-03-02T09:30:00.000Z", several of them with commas between, or *`,
    isValid: isMatchable,
  },
} as const
