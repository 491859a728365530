import { strings } from '#strings/import-report.ts'
import { saveFile } from '#web/browser/save-file.ts'

/** Text that a spreadsheet would run as a formula (OWASP, CSV injection). */
const FORMULA = /^[=+\-@\t\r\uff1d\uff0b\uff0d\uff20]/

type ListCell = string | number | null

/** Quotes a cell (RFC 4180) and neutralizes formulas. */
function quoted(value: ListCell): string {
  const text = String(value ?? '')
  const escaped = typeof value === 'string' && FORMULA.test(text) ? `'${text}` : text
  return /[",;\r\n\t]/.test(escaped) ? `"${escaped.replaceAll('"', '""')}"` : escaped
}

/** A list as CSV, which spreadsheets recognize as UTF-8 by its byte order mark. */
export const listAsCsv = (lines: readonly (readonly ListCell[])[]): string =>
  `\ufeff${lines.map((line) => line.map(quoted).join(',')).join('\r\n')}`

/**
 * Saves a list of a report as a CSV file.
 * @param lines the column names, and then the rows
 */
export function saveList(fileName: string, list: string, lines: readonly (readonly ListCell[])[]): void {
  saveFile(new Blob([listAsCsv(lines)], { type: 'text/csv' }), strings.fileOf(fileName, list))
}
