import { strings } from '#strings/import-report.ts'
import { saveFile } from '#web/browser/save-file.ts'
import type { FieldWords } from './field-words.ts'
import { splitWarnings } from './problems.ts'
import type { ImportReport } from './report.ts'

/** Saves each list of a report as a file. */
export function listSaver(report: ImportReport, fileName: string, { labelOf, textOf }: FieldWords) {
  const { row, company, column, value, message, before, after, reason, text } = strings.headers
  const save = (list: string, lines: Parameters<typeof saveList>[2]) => saveList(fileName, list, lines)
  return {
    created: () => save('new', [[row, company], ...report.new_rows.map((one) => [one.row, one.name])]),
    changes: () =>
      save('changes', [
        [row, company, column, before, after],
        ...report.changes.flatMap((one) =>
          Object.entries(one.changes).map(([field, { from, to }]) => [
            ...[one.row, one.name, labelOf(field)],
            ...[textOf(field, from), textOf(field, to)],
          ]),
        ),
      ]),
    unchanged: () =>
      save('unchanged', [[row, company], ...report.unchanged_rows.map((one) => [one.row, one.name])]),
    trashed: () =>
      save('in-trash', [[row, company], ...report.trashed_rows.map((one) => [one.row, one.name])]),
    questions: () =>
      save('questions', [
        [row, company, message, strings.decision],
        ...report.questions.map((one) => [one.row, one.name, one.message, strings.decided[one.decision]]),
      ]),
    cells: () =>
      save('cells', [
        [row, company, column, value, message],
        ...report.bad_cells.map((one) => [one.row, one.name, one.column, one.value, one.message]),
      ]),
    notes: () =>
      save('adjusted', [
        [column, strings.headers.count, message, value],
        ...splitWarnings(report).notes.map((one) => [
          ...[one.column, one.count, one.message],
          one.examples.map((example) => example.value).join(' | '),
        ]),
      ]),
    errors: () =>
      save('errors', [
        [row, company, column, value, message],
        ...report.errors.map((one) => [one.row, one.name, one.column, one.value, one.message]),
      ]),
    leftOut: () =>
      save('left-out', [
        [row, text, reason],
        ...report.left_out_rows.map((one) => [one.row, one.text, one.reason]),
      ]),
  }
}

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
function saveList(fileName: string, list: string, lines: readonly (readonly ListCell[])[]): void {
  saveFile(new Blob([listAsCsv(lines)], { type: 'text/csv' }), strings.fileOf(fileName, list))
}
