import { currenciesMentioned, currencyNamed, currencyOf } from './amount-words.ts'
import { type AmountFormat, readAmount } from './amounts.ts'
import { isPlaceholder } from './placeholders.ts'
import type { Reading } from './reading.ts'
import { parseAmount } from './written-amounts.ts'

/** The currency that a cell of a column of currencies names: a code or a sign; undefined: it is not clear. */
function currencyIn(cell: string): string | undefined {
  const named = currencyNamed(cell.trim().toLowerCase())
  if (named !== undefined) return named
  const [only, ...others] = new Set(currenciesMentioned(cell))
  return others.length === 0 ? only : undefined
}

/** Whether an amount names a currency of its own. */
function namesCurrency(text: string): boolean {
  const amount = parseAmount(text)
  return typeof amount === 'object' && amount.currency !== null
}

/** An amount with the currency in another cell of its row, unless it names one. */
export function withCurrency(text: string, cell: string): string {
  const currency = currencyIn(cell)
  return currency === undefined || namesCurrency(text) ? text : `${text} ${currency}`
}

/**
 * Reads an amount whose currency may be in another cell of its row.
 * @param cell that of the currency; undefined: it is blank, or there is none
 * @param field the name of the amount, for messages
 */
export function readAmountOf(
  text: string,
  cell: string | undefined,
  format: AmountFormat,
  field: string,
): Reading<number> {
  if (cell === undefined || isPlaceholder(cell) || namesCurrency(text)) return readAmount(text, format, field)
  const sign = currencyIn(cell)
  if (sign === undefined)
    return { error: `${field}: the currency of the row must be a code of ISO 4217, such as EUR or USD.` }
  const currency = currencyOf(sign, format.signCurrency) ?? sign
  const reading = readAmount(text, { ...format, currency }, field)
  if (reading.error === undefined || currency === format.stored || !reading.error.includes(currency))
    return reading
  return {
    error: `${field}: the amount is in ${currency}. Enter an exchange rate, or import the column to a custom field.`,
  }
}
