import type { FormatChoice } from '../../settings.ts'
import type { ColumnFormat, ImportReport } from '../report/report.ts'

/** The columns with cells that cannot be read until the user says how. */
export const openColumns = (report: ImportReport | null): string[] =>
  (report?.formats ?? []).filter(({ question }) => question !== null).map(({ column }) => column)

/** Whether all examples are stored as they are written, so that there is nothing to check. */
export const isPlain = ({ kind, decimal, date_order, examples }: ColumnFormat): boolean =>
  (kind === 'number' || kind === 'date') &&
  decimal !== ',' &&
  (date_order === null || date_order === 'ymd') &&
  examples.every(({ cell, value }) => cell === value)

/** The currencies of a column for which a rate is needed. Only amounts in euros are converted. */
export function foreignCurrencies(
  { currency, currencies }: ColumnFormat,
  choice: FormatChoice,
  stored: string,
): string[] {
  if (stored !== 'EUR') return []
  const codes = new Set([choice.currency ?? currency ?? stored, ...currencies])
  return [...codes].filter((code) => code !== stored && isCode(code))
}

/** The open question about the currencies of a column: which currency a sign means, what some are worth, or none. */
export function openCurrency(
  format: ColumnFormat,
  choice: FormatChoice,
  stored: string,
): { ask: 'sign' | 'other' | 'rates'; currencies: string[] } | null {
  if (format.kind !== 'amount' || format.question === null) return null
  const all = [...new Set([format.currency ?? stored, ...format.currencies])]
  const signs = all.filter((currency) => !isCode(currency))
  if (signs.length > 0) return { ask: 'sign', currencies: signs }
  const others = all.filter((currency) => currency !== stored)
  if (stored !== 'EUR') return others.length > 0 ? { ask: 'other', currencies: others } : null
  const rates = choice.rates ?? format.rates
  const unrated = foreignCurrencies(format, choice, stored).filter((currency) => !rates[currency])
  return unrated.length > 0 ? { ask: 'rates', currencies: unrated } : null
}

/** Whether it is an ISO 4217 code, instead of a sign that several currencies have. */
const isCode = (currency: string): boolean => /^[A-Z]{3}$/.test(currency)
