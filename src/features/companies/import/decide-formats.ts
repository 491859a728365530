import { currencyOf } from './cells/amount-words.ts'
import type { AmountFormat } from './cells/amounts.ts'
import type { CountFormat } from './cells/counts.ts'
import type { DateEvidence } from './cells/date-evidence.ts'
import type { DateFormat } from './cells/dates.ts'
import type { NumberEvidence } from './cells/number-evidence.ts'
import type { HeaderHints } from './header-hints.ts'
import type { ColumnFormat, FormatChoice, Unit } from './schema.ts'

/** What is known of a column besides its cells. */
export interface ColumnContext {
  hints: HeaderHints
  choice: FormatChoice
  /** Whether numbers in JavaScript's format are exact. */
  hasPlainNumbers: boolean
}

/** A format, and what people are told of it. */
interface Decided<Format> {
  format: Format
  shown: Pick<ColumnFormat, 'kind'> & Partial<ColumnFormat>
}

const FACTORS: Readonly<Record<Unit, number>> = { one: 1, thousand: 1e3, million: 1e6, billion: 1e9 }

/** null for units that only the name of a column can give, such as crores. */
const unitOf = (factor: number): Unit | null =>
  (Object.keys(FACTORS) as Unit[]).find((unit) => FACTORS[unit] === factor) ?? null

/** Decides how the amounts of a column are read. */
export function decideAmounts(
  { hints, choice, hasPlainNumbers }: ColumnContext,
  numbers: NumberEvidence,
  stored: string,
): Decided<AmountFormat> {
  const { decimal, isOpen } = decimalOf(choice, numbers)
  const named = hints.currency && (currencyOf(hints.currency, stored) ?? hints.currency)
  const format: AmountFormat = {
    decimal,
    factor: choice.unit ? FACTORS[choice.unit] : (hints.factor ?? 1),
    currency: choice.currency ?? named ?? stored,
    stored,
    rates: choice.rates ?? {},
    hasPlainNumbers,
  }
  const currencies = currenciesIn(numbers, format)
  const isConvertible = (currency: string) =>
    currency === stored || (stored === 'EUR' && Object.hasOwn(format.rates, currency))
  return {
    format,
    shown: {
      kind: 'amount',
      decimal,
      unit: unitOf(format.factor),
      currency: format.currency,
      currencies: currencies.filter((currency) => currency !== 'EUR'),
      rates: { ...format.rates },
      question: isOpen ? 'decimal' : currencies.every(isConvertible) ? null : 'currency',
    },
  }
}

/** The currencies of all cells: ISO 4217 codes, or signs that cannot be told. */
function currenciesIn(numbers: NumberEvidence, { currency }: AmountFormat): string[] {
  const currencies = new Set(numbers.currencies(currency))
  if (numbers.hasUnnamed && currency) currencies.add(currency)
  return [...currencies]
}

/** Decides how the numbers of a column are read. The unit in its name stays beside them. */
export function decideNumbers(
  { choice, hasPlainNumbers }: ColumnContext,
  numbers: NumberEvidence,
): Decided<AmountFormat> {
  const { decimal, isOpen } = decimalOf(choice, numbers)
  const factor = FACTORS[choice.unit ?? 'one']
  return {
    format: { decimal, factor, currency: null, stored: null, rates: {}, hasPlainNumbers },
    shown: { kind: 'number', decimal, unit: choice.unit ?? null, question: isOpen ? 'decimal' : null },
  }
}

/** Decides how the whole numbers of a column are read, which have no fraction and thus leave nothing open. */
export function decideCounts(
  { hints, choice, hasPlainNumbers }: ColumnContext,
  numbers: NumberEvidence,
): Decided<CountFormat> {
  const factor = choice.unit ? FACTORS[choice.unit] : (hints.factor ?? 1)
  const decimal = choice.decimal ?? numbers.proven
  const unit = choice.unit ?? (factor === 1 ? null : unitOf(factor))
  return { format: { decimal, factor, hasPlainNumbers }, shown: { kind: 'number', decimal, unit } }
}

/** Decides how the dates of a column are read. */
export function decideDates({ hints, choice }: ColumnContext, dates: DateEvidence): Decided<DateFormat> {
  const chosen = choice.date_order ?? hints.dateOrder
  const { order, isOpen } = chosen ? { order: chosen, isOpen: false } : dates.order()
  return {
    format: { order },
    shown: { kind: 'date', date_order: order, question: isOpen ? 'date_order' : null },
  }
}

const decimalOf = ({ decimal }: FormatChoice, numbers: NumberEvidence) =>
  decimal ? { decimal, isOpen: false } : numbers.decimal()
