import { normalizeName } from '#src/platform/schema/normalize-text.ts'
import { parseDate, possibleOrders } from './dates.ts'
import type { Reading } from './reading.ts'

const MAX_YEAR_LENGTH = 200
const YEARS = /(?<!\d)(?:1\d{3}|20\d{2}|2100)(?!\d)/g

/**
 * Reads a year, or the year of a date. A two-digit year is none, as its century is a guess.
 * @param field its name, for messages
 */
export function readYear(text: string, field: string): Reading<number> {
  if (/^(?:1\d{3}|20\d{2})$/.test(text)) return { value: Number(text) }
  const plain = text.length > MAX_YEAR_LENGTH ? '' : normalizeName(text).trim()
  // A spreadsheet may show a year as 2,015 or 2015.0.
  const [, year, thousands = '', rest = ''] = /^(?:([12]\d{3})[.,]0+|([12])[.,\s](\d{3}))$/.exec(plain) ?? []
  const years = year ? [year] : thousands ? [thousands + rest] : [...new Set(plain.match(YEARS) ?? [])]
  const [first] = years
  if (first === undefined || Number(first) > 2100)
    return { error: `${field} must be a year from 1000 to 2100, such as 2019.` }
  if (years.length > 1) return { value: Number(first), note: 'The first of several years was stored.' }
  return year || thousands || plain === first || isDate(plain)
    ? { value: Number(first) }
    : { value: Number(first), note: 'Only the year was stored.' }
}

function isDate(text: string): boolean {
  const date = parseDate(text)
  return date !== undefined && ('day' in date || possibleOrders(date).length > 0)
}
