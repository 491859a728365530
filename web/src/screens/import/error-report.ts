import type { Client } from '#src/client/client.ts'
import { strings } from '#strings/import.ts'
import { saveFile } from '#web/browser/save-file.ts'

export type ImportReport = Awaited<ReturnType<Client['importCompanies']>>['data']
export type ImportError = ImportReport['errors'][number]

/** Text that a spreadsheet would run as a formula (OWASP, CSV injection). */
const FORMULA = /^[=+\-@\t\r\uff1d\uff0b\uff0d\uff20]/

/** Quotes a cell (RFC 4180) and neutralizes formulas. */
function cell(value: string | number | null): string {
  const text = String(value ?? '')
  const escaped = typeof value === 'string' && FORMULA.test(text) ? `'${text}` : text
  return /[",;\r\n\t]/.test(escaped) ? `"${escaped.replaceAll('"', '""')}"` : escaped
}

function errorReport(errors: ImportError[]): string {
  const lines = [
    ['row', 'column', 'message'],
    ...errors.map(({ row, column, message }) => [row, column, message] as const),
  ]
  return lines.map((line) => line.map(cell).join(',')).join('\r\n')
}

/** Saves the errors as a CSV file. */
export function downloadErrors(fileName: string, errors: ImportError[]): void {
  // Spreadsheets recognize UTF-8 by the byte order mark.
  const file = new Blob(['\ufeff', errorReport(errors)], { type: 'text/csv' })
  saveFile(file, strings.reportName(fileName))
}
