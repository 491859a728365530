import type { Client } from '#src/client/client.ts'
import { strings } from '#strings/import.ts'
import { saveFile } from '#web/browser/save-file.ts'

export type ImportReport = Awaited<ReturnType<Client['importCompanies']>>['data']
export type ImportError = ImportReport['errors'][number]

/** What a spreadsheet would run as a formula (OWASP, CSV injection). */
const FORMULA = /^[=+\-@\t\r\uff1d\uff0b\uff0d\uff20]/

/** A cell that is read as it is, and never run (RFC 4180). */
function cell(value: string | number | null): string {
  const text = String(value ?? '')
  const harmless = typeof value === 'string' && FORMULA.test(text) ? `'${text}` : text
  return /[",;\r\n\t]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless
}

/** The errors of an import as a CSV file. */
function errorReport(errors: ImportError[]): string {
  const lines = [
    ['row', 'column', 'message'],
    ...errors.map(({ row, column, message }) => [row, column, message] as const),
  ]
  return lines.map((line) => line.map(cell).join(',')).join('\r\n')
}

/** Hands the reader the errors as a file. */
export function downloadErrors(fileName: string, errors: ImportError[]): void {
  // Spreadsheets take a file for UTF-8 by its byte order mark.
  const file = new Blob(['\ufeff', errorReport(errors)], { type: 'text/csv' })
  saveFile(file, strings.reportName(fileName))
}
