import { stringify } from 'csv-stringify/sync'

/** At the start of a file, it tells Excel that the text is UTF-8. */
export const BYTE_ORDER_MARK = '\ufeff'

/** Rows as CSV (RFC 4180). */
export const writeCsv = (rows: unknown[][]): string =>
  stringify(rows, { record_delimiter: '\r\n', quoted_match: /[\r\n]/ })

const HIDDEN = "['\\p{Cf}\\p{Default_Ignorable_Code_Point}]*"
const FORMULA_SIGN = '=+\\-@\uff1d\uff0b\uff0d\uff20'
/**
 * Text that a spreadsheet would run as a formula, also behind characters that it does not show, such as U+200B.
 * Apostrophes in front count, so that text which already looks escaped gets another one and comes back unchanged.
 */
const FORMULA = new RegExp(`^${HIDDEN}[${FORMULA_SIGN}\\t\\r\\n]`, 'u')
/** A spreadsheet that expects other separators than commas starts a cell here. */
const FORMULA_WITHIN = new RegExp(`(?<=[;\\t\\r\\n])(?=${HIDDEN}[${FORMULA_SIGN}])`, 'gu')
const ESCAPED_WITHIN = new RegExp(`(?<=[;\\t\\r\\n])'(?=${HIDDEN}[${FORMULA_SIGN}])`, 'gu')

/**
 * Escapes text that a spreadsheet would run as a formula (OWASP, CSV injection), at its start and after separators.
 * `unescapeFormula` reverses it.
 */
export function escapeFormula(text: string): string {
  const escaped = text.replace(FORMULA_WITHIN, "'")
  return FORMULA.test(escaped) ? `'${escaped}` : escaped
}

/** The text of a cell that `escapeFormula` wrote. */
export function unescapeFormula(cell: string): string {
  const text = cell.startsWith("'") && FORMULA.test(cell) ? cell.slice(1) : cell
  return text.replace(ESCAPED_WITHIN, '')
}
