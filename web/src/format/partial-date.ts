import { monthOf } from './month-name.ts'

/** Ways to write a day, a month, or a year. Days with slashes are missing: their order differs by country. */
const PATTERNS = [
  /^(?<year>\d{4})-(?<month>\d{1,2})-(?<day>\d{1,2})$/,
  /^(?<day>\d{1,2})\. ?(?<month>\d{1,2})\. ?(?<year>\d{4})$/,
  /^(?<year>\d{4})[-/.](?<month>\d{1,2})$/,
  /^(?<month>\d{1,2})[-/.](?<year>\d{4})$/,
  /^(?<name>\p{L}+)[., ]+(?:(?<day>\d{1,2}),? +)?(?<year>\d{4})$/u,
  /^(?<day>\d{1,2})\.? +(?<name>\p{L}+)[., ]+(?<year>\d{4})$/u,
  /^(?<year>\d{4})$/,
]

/**
 * Reads a date of which only the month or the year may be known, such as `2021`, `03/2021`, or `March 2021`.
 * @param edge which day of the month or year it stands for
 * @returns the date as `2021-03-01`; null for an empty text; undefined if it is not a date
 */
export function parsePartialDate(text: string, edge: 'first' | 'last'): string | null | undefined {
  const written = text.trim()
  if (written === '') return null
  const parts = PATTERNS.map((pattern) => pattern.exec(written)?.groups).find(Boolean)
  if (!parts) return undefined
  const month = parts.name === undefined ? parts.month : monthOf(parts.name)
  if (parts.name !== undefined && month === undefined) return undefined
  return dateOf(Number(parts.year), toNumber(month), toNumber(parts.day), edge)
}

const toNumber = (digits: string | number | undefined) => (digits === undefined ? undefined : Number(digits))

function dateOf(year: number, month: number | undefined, day: number | undefined, edge: 'first' | 'last') {
  const isFirst = edge === 'first'
  const monthIndex = (month ?? (isFirst ? 1 : 12)) - 1
  // Day 0 is the last one of the month before.
  const date =
    day === undefined && !isFirst
      ? new Date(Date.UTC(year, monthIndex + 1, 0))
      : new Date(Date.UTC(year, monthIndex, day ?? 1))
  // The 31st of February would be in March.
  const exists = date.getUTCMonth() === monthIndex && (day === undefined || date.getUTCDate() === day)
  return exists && year >= 1000 ? date.toISOString().slice(0, 10) : undefined
}
