import { stringify } from 'csv-stringify/sync'

/** At the start of a file, it tells Excel that the text is UTF-8. */
export const BYTE_ORDER_MARK = '\ufeff'

/** Rows as CSV (RFC 4180). */
export const writeCsv = (rows: unknown[][]): string =>
  stringify(rows, { record_delimiter: '\r\n', quoted_match: /[\r\n]/ })

/**
 * Text that a spreadsheet would run as a formula, also behind characters that it does not show, such as U+200B.
 * Apostrophes in front count, so that text which already looks escaped gets another one and comes back unchanged.
 */
const FORMULA = /^['\p{Cf}\p{Default_Ignorable_Code_Point}]*[=+\-@\t\r\n\uff1d\uff0b\uff0d\uff20]/u

/** Escapes text that a spreadsheet would run as a formula (OWASP, CSV injection). `unescapeFormula` reverses it. */
export const escapeFormula = (text: string): string => (FORMULA.test(text) ? `'${text}` : text)

/** The text of a cell that `escapeFormula` wrote. */
export const unescapeFormula = (cell: string): string =>
  cell.startsWith("'") && FORMULA.test(cell) ? cell.slice(1) : cell
