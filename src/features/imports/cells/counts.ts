import { normalizeName } from '#src/platform/schema/normalize-text.ts'
import {
  type Decimal,
  numeralValue,
  PLAIN_NUMBER,
  parseNumeral,
  UNIT_FACTORS,
} from '#src/platform/schema/numerals.ts'
import { isDayOrMonth } from './dates.ts'
import { APPROXIMATE, LOWER_BOUND, type Reading } from './reading.ts'

/** How the whole numbers of a column are read. */
export interface CountFormat {
  /** The decimal sign that other cells prove; null: a sign before three digits separates thousands. */
  decimal: Decimal | null
  /** What numbers without a unit are multiplied by. */
  factor: number
  /** Whether numbers in JavaScript's format are exact. */
  hasPlainNumbers: boolean
}

/** Longer texts are no counts. */
const MAX_COUNT_LENGTH = 80

const PEOPLE =
  '(?:full[- ]time )?(?:employees?|people|persons?|staff(?: members)?|ftes?|team members|members|headcount|mitarbeiter(?:innen|nde|in)?|' +
  'mitarbeitende|personen|beschäftigte|employés?|salariés?|collaborateurs|personnes|empleados|trabajadores|personas|' +
  'funcionários|colaboradores|pessoas|dipendenti|addetti|persone|medewerkers|werknemers|pracowników|pracownicy|osób|' +
  'сотрудников|сотрудника|человек|чел\\.?|名|人)'
const AFTER = new RegExp(`\\s*${PEOPLE}$`, 'u')
const APPROXIMATELY =
  /^(?:~|≈|±|approx\.?(?=\s)|approximately|about|around|roughly|ca\.?(?=[\s\d])|c\.|circa|etwa|rund|ungefähr|env\.|environ|aprox\.|cerca de|około|ok\.|около)\s*/u
const AT_LEAST =
  /^(?:>|≥|over|more than|at least|min\.?|above|über|mehr als|mindestens|plus de|más de|mais de|oltre|ponad|более)\s*/u
const AT_MOST =
  /^(?:<|≤|under|below|less than|fewer than|up to|max\.?|unter|weniger als|bis zu|bis|moins de|menos de|fino a|meno di|до|менее)\s*/u
const RANGE =
  /^([\d.,'’ ]*\d)\s*(\p{L}+)?\.?\s*(?:[-‐‑‒–—−]|\.\.\.?|…|\bto\b|\bbis\b|\band\b|\bà\b|\ba\b|\bdo\b|до)\s*([\d.,'’ ]*\d)\s*(\p{L}+)?$/u
const CODE = /^c_(\d{5})_(?:\d{5}|max)$/
const ALONE = new Set([
  'self-employed',
  'self employed',
  'selfemployed',
  'freelancer',
  'sole proprietor',
  'solo',
  'just me',
])

/**
 * Reads a whole number. Ranges and limits (`11-50`, `10K+`, `>200`) give their lowest number, which is 1 for `<10`.
 * @param field its name, for messages
 */
export function readCount(text: string, format: CountFormat, field: string): Reading<number> {
  if (format.hasPlainNumbers && PLAIN_NUMBER.test(text)) return whole(Number(text) * format.factor, field)
  if (/^\d{1,9}$/.test(text)) return whole(Number(text) * format.factor, field)
  const plain = text.length > MAX_COUNT_LENGTH ? '' : normalizeName(text).toLowerCase().trim()
  if (isDayOrMonth(plain))
    return {
      error: `${field}: the cell is a date, probably a range that a spreadsheet turned into a date: 11-50 became Nov-50. Type the range, such as 11-50.`,
    }
  if (ALONE.has(plain)) return { value: 1 }
  const [, code] = CODE.exec(plain) ?? []
  if (code) return { value: Number(code), note: LOWER_BOUND }
  const people = plain.replace(AFTER, '')
  const count = people.replace(APPROXIMATELY, '')
  const reading = readPeople(count, format, field)
  return count === people || reading.value === undefined ? reading : { note: APPROXIMATE, ...reading }
}

function readPeople(text: string, format: CountFormat, field: string): Reading<number> {
  const [, from = '', fromUnit, to, toUnit] = RANGE.exec(text) ?? []
  if (to !== undefined) {
    const lowest = number(from, fromUnit, format)
    const highest = number(to, toUnit, format)
    // 1-5k may start at 1 or at 1,000.
    const isClear = fromUnit !== undefined || toUnit === undefined
    const isRange = lowest !== undefined && highest !== undefined && lowest <= highest
    return isClear && isRange ? noted(whole(lowest, field)) : { error: allowed(field) }
  }
  if (AT_MOST.test(text)) {
    const most = limited(text.replace(AT_MOST, ''), format)
    return most !== undefined && most >= 1 ? { value: 1, note: LOWER_BOUND } : { error: allowed(field) }
  }
  const least = text
    .replace(AT_LEAST, '')
    .replace(/\s*(?:\+|plus|or more|oder mehr|ou plus|o más|ou mais|et plus|и более)$/u, '')
  const count = limited(least, format)
  if (count === undefined) return { error: allowed(field) }
  return least === text ? whole(count, field) : noted(whole(count, field))
}

const noted = (reading: Reading<number>): Reading<number> =>
  reading.value === undefined ? reading : { ...reading, note: LOWER_BOUND }

function limited(text: string, format: CountFormat): number | undefined {
  const [, digits, unit] = /^([\d.,'’ ]*\d(?:e[+-]?\d{1,2})?)\s*(\p{L}+)?\.?$/u.exec(text) ?? []
  return digits === undefined ? undefined : number(digits, unit, format)
}

function number(digits: string, unit: string | undefined, format: CountFormat): number | undefined {
  const numeral = parseNumeral(digits.trim())
  const factor = unit === undefined ? format.factor : UNIT_FACTORS.get(unit)
  if (!numeral || factor === undefined) return undefined
  // A count has no fraction, so a sign before three digits separates thousands, unless a unit follows.
  const thousands = numeral.open === '.' ? ',' : '.'
  const decimal = format.decimal ?? (unit ? numeral.open : thousands)
  const value = numeralValue(numeral, decimal)
  return value === undefined ? undefined : round(value * factor)
}

/** Without the error of multiplying a fraction: 2.3 k are 2300. */
const round = (value: number): number => Math.round(value * 1e6) / 1e6

const whole = (value: number, field: string): Reading<number> =>
  Number.isSafeInteger(value) && value >= 0 ? { value } : { error: allowed(field) }

const allowed = (field: string): string => `${field} must be a whole number, such as 120 or 11-50.`
