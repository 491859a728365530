import { addDays, addMonths, dayOf, partsOfDay, weekdayOf } from './calendar-day.ts'
import { lazily } from './lazily.ts'
import { monthOf } from './month-name.ts'

/** How a text is read that can mean several days. */
export interface DayReading {
  /** Whether a day without a year, and a weekday, is the latest one so far instead of the next one. */
  isPast?: boolean
  /** Whether `3/4/2027` is in April. Default: as this browser shows dates. */
  isDayFirst?: boolean
}

type Parts = Partial<Record<string, string>>
type Context = Required<DayReading> & { today: string }
type Rule = [pattern: RegExp, read: (parts: Parts, context: Context) => string | undefined]

const WEEKDAYS = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun']
const WEEKDAY = '(?<weekday>mon|tue|wed|thu|fri|sat|sun)(?:s|nes|rs?|ur)?(?:day)?'
const WORDS = ['one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten']
export const COUNT = `(?<count>\\d{1,5}|an?|${WORDS.join('|')})`
const UNIT = '(?<unit>d(?:ays?)?|w(?:ks?|eeks?)?|m(?:os?|onths?)?|q(?:uarters?)?|y(?:rs?|ears?)?)'
const EDGE = '(?:(?<edge>start|beginning|end) of (?:the )?)?'
const DAY = '(?<day>\\d{1,2})'
const MONTH = '(?<month>\\d{1,2})'
const NAME = '(?<name>\\p{L}+)'
const FULL_YEAR = '(?<year>\\d{4})'
const YEAR = '(?<year>\\d{4}|\\d{2})'
const MONTHS_OF = { m: 1, q: 3, y: 12 }

const whole = (pattern: string) => new RegExp(`^(?:${pattern})$`, 'u')
const afterToday =
  (days: number): Rule[1] =>
  (_, { today }) =>
    addDays(today, days)

/** The first rule that matches the whole text decides. A period stands for its first day, its "end" for the last one. */
const RULES: Rule[] = [
  [whole('today|now'), afterToday(0)],
  [whole('tomorrow|tmrw?|tom'), afterToday(1)],
  [whole('yesterday'), afterToday(-1)],
  [whole('(?:the )?day after tomorrow'), afterToday(2)],
  [whole('(?:the )?day before yesterday'), afterToday(-2)],
  [whole(`(?<ahead>in |\\+)${COUNT} ?${UNIT}`), distance],
  [whole(`(?<ago>[-−])?${COUNT} ?${UNIT}`), distance],
  [whole(`${COUNT} ?${UNIT} (?:(?<ago>ago)|(?<ahead>from (?:now|today)))`), distance],
  [whole(`(?:(?<which>this|next|last|coming) )?${WEEKDAY}`), weekday],
  [whole(`${WEEKDAY} (?<which>next|last) week`), weekday],
  [whole(`${EDGE}(?:(?<which>this|next|last) )?(?<period>week|month|quarter|year)`), period],
  [whole(`${EDGE}q(?<quarter>[1-4])(?:[ /-](?:of )?${YEAR})?`), quarter],
  [whole(`${WEEKDAY} (?<rest>.*\\d.*)`), dayWithWeekday],
  [whole(`(?:the )?${DAY}(?:st|nd|rd|th)`), dayOfMonth],
  [whole(`${DAY}(?:st|nd|rd|th|\\.)?[ -]?(?:of )?${NAME}(?:[ -]${FULL_YEAR})?`), namedMonth],
  [whole(`${NAME} ${DAY}(?:st|nd|rd|th)?(?: ${FULL_YEAR})?`), namedMonth],
  [whole(`${EDGE}${NAME}(?: ${FULL_YEAR})?`), namedMonth],
  [whole(`${FULL_YEAR}([-/. ])${MONTH}\\2${DAY}`), numbers],
  [whole(`${DAY}\\. ?${MONTH}(?:\\.(?: ?${YEAR})?)?`), numbers],
  [whole(`(?<first>\\d{1,2})([/-])(?<second>\\d{1,2})(?:\\2${YEAR})?`), numbers],
]

const isDayFirstHere = lazily(() => {
  const types = new Intl.DateTimeFormat(undefined, { dateStyle: 'short' })
    .formatToParts()
    .map((part) => part.type)
  return { value: types.indexOf('day') < types.indexOf('month') }
})

/** Lower case, single spaces, no commas, and no dots after words. */
export const plain = (text: string): string =>
  text
    .trim()
    .toLowerCase()
    .replace(/,/g, ' ')
    .replace(/(\p{L})\./gu, '$1')
    .replace(/\s+/g, ' ')

// Libraries such as chrono-node take the part of a text that they understand ("call in 2 weeks"), read "last Friday" as one
// to come, and know neither "31.3." nor "Q3". A date field must never take a day that its text does not mean.

/**
 * Reads a day as people type it: `in 2 weeks`, `next Tuesday`, `31 March`, `31.3.`, `end of month`, `Q3`.
 * @param today as `2026-03-01`
 * @returns the day as `2026-03-01`; null unless the whole text is a day that exists
 */
export function parseDay(text: string, today: string, reading: DayReading = {}): string | null {
  const { isPast = false, isDayFirst = isDayFirstHere().value } = reading
  return read(plain(text).replace(/^(?:on|by) /, ''), { today, isPast, isDayFirst }) ?? null
}

function read(text: string, context: Context): string | undefined {
  const rule = RULES.find(([pattern]) => pattern.test(text))
  return rule?.[1](rule[0].exec(text)?.groups ?? {}, context)
}

/** The number that `COUNT` matches. */
export const countOf = (text = ''): number =>
  /^an?$/.test(text) ? 1 : WORDS.indexOf(text) + 1 || Number(text)

function distance({ ahead, ago, count, unit = '' }: Parts, { today, isPast }: Context) {
  const signed = countOf(count) * (ago || (isPast && !ahead) ? -1 : 1)
  const letter = unit.charAt(0)
  if (letter === 'd' || letter === 'w') return addDays(today, signed * (letter === 'w' ? 7 : 1))
  return addMonths(today, signed * MONTHS_OF[letter as keyof typeof MONTHS_OF])
}

/** Weeks begin on Monday: on a Monday, "next Tuesday" is not tomorrow. */
function weekday({ which, weekday = '' }: Parts, { today, isPast }: Context) {
  const ahead = WEEKDAYS.indexOf(weekday) - weekdayOf(today)
  if (which === 'next') return addDays(today, ahead + 7)
  if (which === 'last') return addDays(today, ahead < 0 ? ahead : ahead - 7)
  if (isPast) return addDays(today, ahead <= 0 ? ahead : ahead - 7)
  return addDays(today, ahead > 0 || (ahead === 0 && which) ? ahead : ahead + 7)
}

function period({ edge, which, period: unit = '' }: Parts, { today }: Context) {
  // "Month" is no day, and neither is "this month".
  if (!edge && which !== 'next' && which !== 'last') return undefined
  const offset = which === 'next' ? 1 : which === 'last' ? -1 : 0
  if (unit === 'week') return addDays(today, offset * 7 + (edge === 'end' ? 6 : 0) - weekdayOf(today))
  const [year, month] = partsOfDay(today)
  const size = MONTHS_OF[unit.charAt(0) as keyof typeof MONTHS_OF]
  return edgeOf(dayOf(year, month - ((month - 1) % size), 1), offset * size, size, edge)
}

/** The first or the last day of some months, which begin some months after a day. */
function edgeOf(day: string | undefined, offset: number, size: number, edge: string | undefined) {
  if (day === undefined || edge !== 'end') return day && addMonths(day, offset)
  const next = addMonths(day, offset + size)
  return next && addDays(next, -1)
}

function quarter({ edge, quarter, year }: Parts, context: Context) {
  return inYear(year, context, (one) => edgeOf(dayOf(one, Number(quarter) * 3 - 2, 1), 0, 3, edge))
}

function namedMonth({ edge, day, name = '', year }: Parts, context: Context) {
  const month = monthOf(name)
  if (month === undefined) return undefined
  return inYear(year, context, (one) =>
    day ? dayOf(one, month, Number(day)) : edgeOf(dayOf(one, month, 1), 0, 1, edge),
  )
}

/** A weekday that the day does not have makes it no day. */
function dayWithWeekday({ weekday = '', rest = '' }: Parts, context: Context) {
  const day = read(rest, context)
  return day && WEEKDAYS[weekdayOf(day)] === weekday ? day : undefined
}

function dayOfMonth({ day }: Parts, { today, isPast }: Context) {
  const [year, month] = partsOfDay(today)
  const days = [0, 1, 2].map((index) => {
    const first = addMonths(dayOf(year, month, 1) ?? today, isPast ? -index : index) ?? today
    return dayOf(...(partsOfDay(first).with(2, Number(day)) as [number, number, number]))
  })
  return days.find((one) => one && (isPast ? one <= today : one >= today))
}

function numbers({ year, month, day, first, second }: Parts, context: Context) {
  const [days, months] =
    first === undefined ? [day, month] : context.isDayFirst ? [first, second] : [second, first]
  // There is no month 31, so `3/31` can only be in March.
  const isSwapped = first !== undefined && Number(months) > 12
  return inYear(year, context, (one) =>
    dayOf(one, Number(isSwapped ? days : months), Number(isSwapped ? months : days)),
  )
}

/** Without a year, the next such day, or the latest one. The 29th of February may be eight years away. */
function inYear(
  year: string | undefined,
  { today, isPast }: Context,
  make: (year: number) => string | undefined,
) {
  const [present] = partsOfDay(today)
  if (year?.length === 4) return make(Number(year))
  if (year !== undefined) {
    const near = present - (present % 100) + Number(year)
    return make(near > present + 50 ? near - 100 : near < present - 50 ? near + 100 : near)
  }
  const days = Array.from({ length: 9 }, (_, index) => make(present + (isPast ? -index : index)))
  return days.find((day) => day && (isPast ? day <= today : day >= today))
}
