import { currencyOf, isAmbiguous, possibleCurrencies } from './amount-words.ts'
import { type Decimal, numeralValue, PLAIN_NUMBER } from './numerals.ts'
import { LOWER_BOUND, type Reading } from './reading.ts'
import { parseAmount } from './written-amounts.ts'

/** How the numbers and amounts of a column are read. */
export interface AmountFormat {
  /** The decimal sign; null: it is open, or the column has none. */
  decimal: Decimal | null
  /** What numbers without a unit are multiplied by. */
  factor: number
  /** The currency of cells that name none; null: numbers without a currency. */
  currency: string | null
  /** The currency in which the field stores amounts; null: numbers without a currency. */
  stored: string | null
  /** How many euros one unit of each currency is worth. */
  rates: Readonly<Record<string, number>>
  /** Whether numbers in JavaScript's format are exact, as those of a workbook and of our exports are. */
  hasPlainNumbers: boolean
}

/**
 * Reads a cell of a column of amounts.
 * @param field its name, for messages
 */
export function readAmount(text: string, format: AmountFormat, field: string): Reading<number> {
  if (format.hasPlainNumbers && PLAIN_NUMBER.test(text))
    return inStored(Number(text), format.factor, null, format, field)
  const written = parseAmount(text)
  if (
    written === undefined ||
    (format.stored === null && typeof written === 'object' && written.currency !== null)
  )
    return {
      fault:
        format.stored === null
          ? `${field} must be a number, such as 1200 or 12.5.`
          : `${field} must be an amount, such as 1200000, 1,200,000.50, or €1.2m.`,
    }
  if (written === 'range') return { fault: `${field} must be one amount, not a range.` }
  if (written.bound === 'upper') return { fault: `${field} must be an amount, not only an upper limit.` }
  const value = numeralValue(written.numeral, format.decimal)
  if (value === undefined) return { fault: openSign(field) }
  const factor = written.factor ?? format.factor
  const reading = inStored(written.isNegative ? -value : value, factor, written.currency, format, field)
  return written.bound && reading.value !== undefined ? { ...reading, note: LOWER_BOUND } : reading
}

const openSign = (field: string): string =>
  `${field}: in numbers such as 64.125 or 64,125, the sign may be decimal or separate thousands. ` +
  'Choose the decimal sign of the column.'

/** The amount in the currency of the field. */
function inStored(
  value: number,
  factor: number,
  sign: string | null,
  { currency: ofColumn, stored, rates }: AmountFormat,
  field: string,
): Reading<number> {
  const amount = factor === 1 ? value : toCents(value * factor)
  const currency = sign === null ? ofColumn : currencyOf(sign, ofColumn)
  if (stored === null || currency === stored) return { value: amount }
  const open = currency ?? sign
  if (currency === null || isAmbiguous(currency))
    return {
      fault: `${field}: the currency ${open} may be ${possibleCurrencies(open ?? '').join(' or ')}. Choose the currency of the column.`,
    }
  const rate = stored === 'EUR' && Object.hasOwn(rates, currency) ? rates[currency] : undefined
  if (rate !== undefined) return { value: toCents(amount * rate) }
  return {
    fault:
      stored === 'EUR'
        ? `${field}: the amount is in ${currency}. Give a rate for it, or import the column to a custom field.`
        : `${field}: the amount is in ${currency}, but the field is in ${stored}.`,
  }
}

const toCents = (amount: number): number => Math.round(amount * 100) / 100
