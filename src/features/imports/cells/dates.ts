import { withoutAccents } from '#src/platform/accents.ts'
import { isDate } from '#src/platform/schema/formats.ts'
import { normalizeName } from '#src/platform/schema/normalize-text.ts'
import type { DateOrder } from '../schema.ts'
import type { Reading } from './reading.ts'

/** Month names and their abbreviations in English, German, French, Spanish, Portuguese, Italian, Dutch, and Polish, and Russian. */
const NAMES = [
  'january jan januar jänner jän janvier janv enero ene janeiro gennaio gen januari styczeń stycznia sty январь января янв',
  'february feb februar février févr fév febrero fevereiro fev febbraio februari luty lutego lut февраль февраля фев',
  'march mar mär märz mrz mars marzo março maart mrt marzec marca marz март марта мар',
  'april apr avril avr abril abr aprile kwiecień kwietnia kwi апрель апреля апр',
  'may mai mayo maio maggio mag mei maj maja май мая',
  'june jun juni juin junio junho giugno giu czerwiec czerwca cze июнь июня июн',
  'july jul juli juillet juil julio julho luglio lug lipiec lipca lip июль июля июл',
  'august aug août aoû agosto ago augustus sierpień sierpnia sie август августа авг',
  'september sep sept septembre septiembre setembro set settembre wrzesień września wrz сентябрь сентября сен сент',
  'october oct okt oktober octobre octubre outubro out ottobre ott październik października paź октябрь октября окт',
  'november nov novembre noviembre novembro listopad listopada lis ноябрь ноября ноя нояб',
  'december dec dez dezember décembre déc diciembre dic dezembro dicembre grudzień grudnia gru декабрь декабря дек',
]

const MONTHS: ReadonlyMap<string, number> = new Map(
  NAMES.flatMap((names, index) =>
    names
      .split(' ')
      .flatMap((name) => [[name, index + 1] as const, [withoutAccents(name), index + 1] as const]),
  ),
)

/** The number of a month, 1 to 12, by its name or abbreviation in lower case and without a period. */
const monthNamed = (name: string): number | undefined => MONTHS.get(name)

/** A date as it is written. */
export type WrittenDate =
  | { day: string }
  | {
      /** The three numbers of a date whose order the column decides. */
      parts: readonly [first: string, second: string, third: string]
      separator: string
    }

/** How the dates of a column are read: the order of their numbers; null: it is open. */
export interface DateFormat {
  order: DateOrder | null
}

const MAX_DATE_LENGTH = 60
/** Days since 1899-12-30, as spreadsheets count: the years 1954 to 2119. */
const FIRST_SERIAL = 20_000
const LAST_SERIAL = 80_000
/** Two-digit years are those from 1970 to 2069. */
const FIRST_TWO_DIGIT_YEAR = 70

const TIME =
  /[T,\s]+\d{1,2}[:h.]\d{2}(?:[:.]\d{2}(?:[.,]\d{1,9})?)?\s*(?:[ap]\.?\s?m\.?)?\s*(?:uhr|h|z|utc|gmt|cet|cest|[+-]\d{2}:?\d{2})?$/i
const WEEKDAY = /^\p{L}{2,10}\.?,\s+/u
const YEAR_FIRST = /^(\d{4})([-/.])(\d{1,2})\2(\d{1,2})$/
const COMPACT = /^((?:19|20)\d\d)([01]\d)([0-3]\d)$/
const NUMBERS = /^(\d{1,2})([-/.])\s?(\d{1,2})\2\s?(\d{4}|\d{2})\.?$/
const DAY_FIRST =
  /^(\d{1,2})(?:st|nd|rd|th|\.|er|º|ª)?[\s\-/.]+(?:de |of )?(\p{L}+)\.?,?(?:[\s\-/.]+|\s+de\s+|\s+del\s+)['’]?(\d{4}|\d{2})\.?$/u
const MONTH_FIRST = /^(\p{L}+)\.?[\s\-/.]+(\d{1,2})(?:st|nd|rd|th|\.)?(?:,\s*|[\s\-/]+)['’]?(\d{4}|\d{2})$/u
const CHINESE = /^(\d{4})\s?年\s?(\d{1,2})\s?月\s?(\d{1,2})\s?日$/u
const NAMED_YEAR_FIRST = /^(\d{4})[\s\-/.]+(\p{L}+)\.?[\s\-/.]+(\d{1,2})$/u

const pad = (value: number | string): string => String(value).padStart(2, '0')

function dayOf(year: number | string, month: number | string, day: number | string): string | undefined {
  const date = `${String(year).padStart(4, '0')}-${pad(month)}-${pad(day)}`
  return isDate(date) ? date : undefined
}

function fullYear(text: string): number {
  const year = Number(text)
  if (text.length > 2) return year
  return year >= FIRST_TWO_DIGIT_YEAR ? 1900 + year : 2000 + year
}

/** Tools write midnight where only the day is known. */
const MIDNIGHT = /^[T,\s]+(?:0?0[:h.]00(?:[:.]00(?:[.,]0+)?)?|12[:h.]00(?:[:.]00)?\s*a\.?\s?m\.?)(?![\d:.,])/i

/** Whether the text of a date has a time of day, which is not midnight. */
function hasTime(text: string): boolean {
  if (/^\d{5}\./.test(text)) return /\.0*[1-9]/.test(text)
  if (text.length < 10 || !/\d[:h.]\d/i.test(text)) return false
  const [time] = TIME.exec(normalizeName(text).trim()) ?? []
  return time !== undefined && !MIDNIGHT.test(time)
}

/**
 * Parses a day, or the day of a time as it is written, without regard to its zone.
 * @returns undefined for text that is no day, such as a month
 */
export function parseDate(text: string): WrittenDate | undefined {
  if (text.length > MAX_DATE_LENGTH) return undefined
  const plain = normalizeName(text).toLowerCase().trim().replace(WEEKDAY, '').replace(TIME, '')
  const date = /\p{L}/u.test(plain) ? parseNamed(plain) : parseNumbers(plain)
  return typeof date === 'string' ? { day: date } : date
}

function parseNumbers(text: string): WrittenDate | string | undefined {
  const [, year, , month, day] = YEAR_FIRST.exec(text) ?? []
  if (year && month && day) return dayOf(year, month, day)
  const [, first, separator, second, third] = NUMBERS.exec(text) ?? []
  if (first && separator && second && third) return { parts: [first, second, third], separator }
  const [, years, months, days] = COMPACT.exec(text) ?? []
  if (years && months && days) return dayOf(years, months, days)
  return serialDay(text)
}

function parseNamed(text: string): string | undefined {
  const [, year, month, day] = CHINESE.exec(text) ?? NAMED_YEAR_FIRST.exec(text) ?? []
  if (year && month && day) return dayOf(year, monthNamed(month) ?? month, day)
  const [, named = '', second, last] = MONTH_FIRST.exec(text) ?? []
  if (second && last) return namedDay(last, named, second)
  const [, first, name = '', end] = DAY_FIRST.exec(text) ?? []
  return first && end ? namedDay(end, name, first) : undefined
}

function namedDay(year: string, name: string, day: string): string | undefined {
  const month = monthNamed(name)
  return month === undefined ? undefined : dayOf(fullYear(year), month, day)
}

/** The day of a number that a spreadsheet shows as a date. */
function serialDay(text: string): string | undefined {
  if (!/^\d{5}(?:\.\d{1,15})?$/.test(text)) return undefined
  const serial = Math.floor(Number(text))
  if (serial < FIRST_SERIAL || serial > LAST_SERIAL) return undefined
  return new Date(Date.UTC(1899, 11, 30 + serial)).toISOString().slice(0, 10)
}

/** The day in this order, or undefined if the calendar does not have it. */
function dayIn(
  order: DateOrder,
  [first, second, third]: readonly [string, string, string],
): string | undefined {
  if (order === 'ymd') return dayOf(fullYear(first), second, third)
  const [day, month] = order === 'dmy' ? [first, second] : [second, first]
  return dayOf(fullYear(third), month, day)
}

/** The orders in which a date of three numbers exists: one if it is clear. */
export function possibleOrders(date: WrittenDate): DateOrder[] {
  if ('day' in date) return []
  const [first, , third] = date.parts
  if (first.length === 2 && Number(first) > 31 && third.length === 2) return ['ymd']
  return (['dmy', 'mdy'] as const).filter((order) => dayIn(order, date.parts))
}

/**
 * Reads a cell of a column of dates.
 * @param field its name, for messages
 */
export function readDate(text: string, { order }: DateFormat, field: string): Reading<string> {
  const date = parseDate(text)
  if (!date)
    return {
      error: isMonth(text)
        ? `${field} must be a day, such as 2026-03-31. A month is not enough.`
        : `${field} must be a date, such as 2026-03-31.`,
    }
  if ('day' in date) return dayRead(date.day, text)
  const days = new Set(possibleOrders(date).map((possible) => dayIn(possible, date.parts)))
  // Dots are written where the day comes first. 05/05/2026 is the same day in either order.
  const own =
    days.size === 1 && date.parts[0] === date.parts[1] ? 'dmy' : date.separator === '.' ? 'dmy' : null
  const used = order ?? own
  if (!used)
    return {
      error: `${field}: the order of day and month is ambiguous. Choose day/month or month/day for the column.`,
    }
  const day = dayIn(used, date.parts)
  return day
    ? dayRead(day, text)
    : {
        error: `${field}: the date does not exist in the order of the column, which is ${ORDER_NAMES[used]}.`,
      }
}

const dayRead = (day: string, text: string): Reading<string> =>
  hasTime(text) ? { value: day, note: 'Only the day was stored.' } : { value: day }

const ORDER_NAMES = { dmy: 'day, month, year', mdy: 'month, day, year', ymd: 'year, month, day' } as const

/** A month of a year, or a day of a month, by its name: `Nov 2026`, `Nov-50`, `10-Feb`. */
const NAMED_MONTH = /^(?:(\p{L}+)\.?[\s\-/.']+\d{1,4}|\d{1,4}[\s\-/.]+(\p{L}+)\.?)$/u

function isNamedMonth(text: string): boolean {
  const [, before, after] = NAMED_MONTH.exec(text) ?? []
  return monthNamed(before ?? after ?? '') !== undefined
}

const isMonth = (text: string): boolean => {
  const plain = text.length > MAX_DATE_LENGTH ? '' : normalizeName(text).toLowerCase().trim()
  return isNamedMonth(plain) || /^(?:\d{4}[-/.]\d{1,2}|\d{1,2}[-/.]\d{4})$/.test(plain)
}

/** Whether a text in lower case is a date that stands where a range was written. */
export const isDayOrMonth = (text: string): boolean =>
  isNamedMonth(text) ||
  (/\d[-/.]\d+[-/.]\d|\p{L}/u.test(text) && text.length <= MAX_DATE_LENGTH && isFullDate(text))

function isFullDate(text: string): boolean {
  const date = parseDate(text)
  return date !== undefined && ('day' in date || possibleOrders(date).length > 0)
}
