import { type Decimal, numeralValue, PLAIN_NUMBER } from '#src/platform/schema/numerals.ts'
import { currencyOf, isAmbiguous, possibleCurrencies } from './amount-words.ts'
import { APPROXIMATE, LOWER_BOUND, type Reading } from './reading.ts'
import { parseAmount, type WrittenAmount } from './written-amounts.ts'

/** How the numbers and amounts of a column are read. */
export interface AmountFormat {
  /** The decimal sign; null: it is open, or the column has none. */
  decimal: Decimal | null
  /** What numbers without a unit are multiplied by. */
  factor: number
  /** The currency of cells that name none; null: it is open, or the field has numbers without a currency. */
  currency: string | null
  /** The currency that an ambiguous sign has if it may mean it. */
  signCurrency: string | null
  /** The currency in which the field stores amounts; null: numbers without a currency. */
  stored: string | null
  /** How many euros one unit of each currency is worth. */
  rates: Readonly<Record<string, number>>
  /** Whether numbers in JavaScript's format are exact, as those of a workbook and of our exports are. */
  hasPlainNumbers: boolean
  /** Whether small amounts without a unit are surely not thousands or millions. */
  isUnitKnown: boolean
}

/**
 * Reads a cell of a column of amounts.
 * @param field its name, for messages
 */
export function readAmount(text: string, format: AmountFormat, field: string): Reading<number> {
  if (format.hasPlainNumbers && PLAIN_NUMBER.test(text))
    return noted(inStored(Number(text), format.factor, null, format, field), Number(text), null, format)
  const written = parseAmount(text)
  if (
    written === undefined ||
    (format.stored === null && typeof written === 'object' && written.currency !== null)
  )
    return {
      error:
        format.stored === null
          ? `${field} must be a number, such as 1200 or 12.5.`
          : `${field} must be an amount, such as 1200000, 1,200,000.50, or €1.2m.`,
    }
  if (written === 'range') return { error: `${field} must be one amount, not a range.` }
  if (written.bound === 'upper') return { error: `${field} must be an amount, not only an upper limit.` }
  const value = numeralValue(written.numeral, format.decimal)
  if (value === undefined) return { error: openSign(field) }
  const amount = written.isNegative ? -value : value
  const factor = written.factor ?? format.factor
  return noted(inStored(amount, factor, written.currency, format, field), amount, written, format)
}

const openSign = (field: string): string =>
  `${field}: numbers such as 64.125 or 64,125 are ambiguous. The point or comma may be a decimal sign or separate ` +
  'thousands. Choose the decimal sign of the column.'

/** Amounts of companies are rarely smaller. */
const SMALL_AMOUNT = 1000
const SMALL =
  'Amounts below 1,000 were stored as single euros. Choose a unit if they are thousands or millions.'

/** @param value as it is written, without its unit */
function noted(
  reading: Reading<number>,
  value: number,
  written: WrittenAmount | null,
  { isUnitKnown }: AmountFormat,
): Reading<number> {
  if (reading.value === undefined) return reading
  const isSmall = !isUnitKnown && (written?.factor ?? null) === null && value > 0 && value < SMALL_AMOUNT
  const note = isSmall ? SMALL : written?.bound ? LOWER_BOUND : written?.isApproximate ? APPROXIMATE : null
  return note ? { ...reading, note } : reading
}

/** The amount in the currency of the field. */
function inStored(
  value: number,
  factor: number,
  sign: string | null,
  { currency: ofColumn, signCurrency, stored, rates }: AmountFormat,
  field: string,
): Reading<number> {
  const amount = factor === 1 ? value : toCents(value * factor)
  const currency = sign === null ? ofColumn : currencyOf(sign, signCurrency)
  if (stored === null || currency === stored) return { value: amount }
  const open = currency ?? sign
  if (open === null)
    return {
      error: `${field}: the column has several currencies, and this amount names none. Choose the currency of the column.`,
    }
  if (currency === null || isAmbiguous(currency))
    return {
      error: `${field}: the currency ${open} may be ${possibleCurrencies(open)}. Choose the currency of the column.`,
    }
  const rate = stored === 'EUR' && Object.hasOwn(rates, currency) ? rates[currency] : undefined
  if (rate !== undefined) return { value: toCents(amount * rate) }
  if (stored !== 'EUR')
    return { error: `${field}: the amount is in ${currency}, but the field is in ${stored}.` }
  return {
    error:
      sign === null
        ? `${field}: amounts without a currency are in ${currency}, like the rest of the column. Enter an exchange rate, ` +
          'choose another currency, or import the column to a custom field.'
        : `${field}: the amount is in ${currency}. Enter an exchange rate, or import the column to a custom field.`,
  }
}

const toCents = (amount: number): number => Math.round(amount * 100) / 100
