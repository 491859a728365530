import { currencyOf } from '../cells/amount-words.ts'
import type { AmountFormat } from '../cells/amounts.ts'
import type { CountFormat } from '../cells/counts.ts'
import type { DateEvidence } from '../cells/date-evidence.ts'
import type { DateFormat } from '../cells/dates.ts'
import type { NumberEvidence } from '../cells/number-evidence.ts'
import type { HeaderHints } from '../columns/header-hints.ts'
import type { ColumnFormat, FormatChoice, Unit } from '../schema.ts'

/** The context of a column, besides its cells. */
export interface ColumnContext {
  hints: HeaderHints
  choice: FormatChoice
  /** Whether numbers in JavaScript's format are exact. */
  hasPlainNumbers: boolean
  /** Whether small amounts may be thousands or millions, unless the file names a unit. */
  mayLackUnit: boolean
}

/** A format, and what the report shows of it. */
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
  context: ColumnContext,
  numbers: NumberEvidence,
  stored: string,
): Decided<AmountFormat> {
  const { hints, choice, hasPlainNumbers, mayLackUnit } = context
  const { decimal, isOpen } = decimalOf(choice, numbers)
  const format: AmountFormat = {
    decimal,
    factor: choice.unit ? FACTORS[choice.unit] : (hints.factor ?? 1),
    ...currenciesOf(context, numbers, stored),
    stored,
    rates: choice.rates ?? {},
    hasPlainNumbers,
    isUnitKnown: !mayLackUnit || choice.unit !== undefined || hints.factor !== null,
  }
  const currencies = currenciesIn(numbers, format)
  const isConvertible = (currency: string) =>
    currency === stored || (stored === 'EUR' && Object.hasOwn(format.rates, currency))
  const isClear = currencies.every(isConvertible) && !(numbers.hasUnnamed && format.currency === null)
  return {
    format,
    shown: {
      kind: 'amount',
      decimal,
      unit: unitOf(format.factor),
      currency: format.currency,
      currencies: currencies.filter((currency) => currency !== 'EUR'),
      rates: { ...format.rates },
      question: isOpen ? 'decimal' : isClear ? null : 'currency',
    },
  }
}

/** The currency of cells that name none, and of ambiguous signs. */
function currenciesOf(
  { hints, choice }: ColumnContext,
  numbers: NumberEvidence,
  stored: string,
): Pick<AmountFormat, 'currency' | 'signCurrency'> {
  const { currency: chosen } = choice
  const named = hints.currency && (currencyOf(hints.currency, chosen ?? stored) ?? hints.currency)
  const signCurrency = chosen ?? named ?? stored
  const marked = numbers.allCurrencies(signCurrency)
  const hasStored = marked.includes(stored) || named === stored
  // Beside amounts that are marked as euros, JPY only says what ¥ means.
  const isForSigns = chosen !== undefined && hasStored && numbers.mayMean(chosen)
  if (chosen !== undefined && !isForSigns) return { currency: chosen, signCurrency }
  const [only, ...others] = marked
  const ofColumn = hasStored || only === undefined ? stored : others.length === 0 ? only : null
  return { currency: named ?? ofColumn, signCurrency }
}

/** The currencies of all cells: ISO 4217 codes, or ambiguous signs. */
function currenciesIn(numbers: NumberEvidence, { currency, signCurrency }: AmountFormat): string[] {
  const currencies = new Set(numbers.currencies(signCurrency))
  if (numbers.hasUnnamed && currency) currencies.add(currency)
  return [...currencies]
}

/** Decides how the numbers of a column are read. The unit in the name of the column does not change them. */
export function decideNumbers(
  { choice, hasPlainNumbers }: ColumnContext,
  numbers: NumberEvidence,
): Decided<AmountFormat> {
  const { decimal, isOpen } = decimalOf(choice, numbers)
  const factor = FACTORS[choice.unit ?? 'one']
  return {
    format: {
      ...{ decimal, factor, currency: null, signCurrency: null, stored: null, rates: {} },
      ...{ hasPlainNumbers, isUnitKnown: true },
    },
    shown: { kind: 'number', decimal, unit: choice.unit ?? null, question: isOpen ? 'decimal' : null },
  }
}

/** Decides how the whole numbers of a column are read, which have no fraction and so are never ambiguous. */
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
