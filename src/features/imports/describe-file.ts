import type { Table } from '#src/platform/csv/table.ts'
import { InvalidInput, printable } from '#src/platform/errors.ts'
import { truncate } from '#src/platform/truncate.ts'
import type { ImportColumns } from './columns/columns.ts'
import type { CustomColumns } from './columns/custom-columns.ts'
import { detectRecords } from './records/detect.ts'
import type { ImportedFile } from './schema.ts'
import { ColumnSamples } from './survey.ts'

/** No column of the file is recognized as one that every row needs. */
export class MissingColumn extends InvalidInput {
  /** How the file was read, so that a person can choose the column. */
  readonly file: ImportedFile

  constructor(message: string, file: ImportedFile) {
    super(message)
    this.file = file
  }
}

/** The lines above the column names. */
export const preambleOf = ({ firstRows, headerRow }: Table): string[] =>
  firstRows.flatMap(({ row, cells }) => (row < headerRow ? cells.filter((cell) => cell.trim() !== '') : []))

const MAX_COLUMNS = 1000
const MAX_COLUMN_NAME_LENGTH = 200

/** @throws InvalidInput for a header that cannot be read */
export function requireHeader({ header }: Table): void {
  if (header.length <= MAX_COLUMNS && header.every((name) => name.length <= MAX_COLUMN_NAME_LENGTH)) return
  throw new InvalidInput(
    `The header of the file cannot be read. It may have 1,000 columns, with names of up to ${MAX_COLUMN_NAME_LENGTH} characters.`,
  )
}

/** The error about a file without a required column. @param what the column, such as "the company's name" */
export async function missingColumn(
  table: Table,
  columns: ImportColumns<string>,
  customColumns: CustomColumns,
  { field, what }: { field: string; what: string },
): Promise<MissingColumn> {
  const samples = new ColumnSamples(columns.header.length)
  for await (const records of table.read()) {
    for (const record of records) if ('cells' in record && !('leftOut' in record)) samples.add(record.cells)
    break
  }
  const { sheets, sheet } = table
  const others = sheets.filter((name) => name !== sheet)
  return new MissingColumn(
    `No column is recognized as ${what}. Columns: ${shownList(columns.header)}. ` +
      `Specify the column with mapping={"${field}": "…"}${
        others.length > 0 ? `, or another sheet with sheet=${shownList(others)}` : ''
      }.`,
    describeFile(table, columns, customColumns, samples.found),
  )
}

const shownList = (names: string[]) => truncate(names.slice(0, 30).join(', '), 500) || 'none'

/** How a file was read. */
export function describeFile(
  table: Table,
  columns: ImportColumns<string>,
  customColumns: CustomColumns,
  samples: string[][],
): ImportedFile {
  const recognized = { ...columns.recognized, ...customColumns.recognized }
  const fieldOf = new Map(
    Object.entries(recognized).flatMap(([field, names]) => names.map((name) => [name, field] as const)),
  )
  return {
    kind: table.kind,
    encoding: table.encoding,
    is_encoding_certain: table.isEncodingCertain,
    delimiter: table.delimiter,
    sheet: table.sheet,
    sheets: table.sheets,
    header_row: table.headerRow,
    columns: columns.header.map((name, index) => ({
      name,
      field: fieldOf.get(name) ?? null,
      samples: samples[index] ?? [],
    })),
    first_rows: table.firstRows.map(({ row, cells }) => ({ row, cells: cells.map(shortCell) })),
    warnings: table.warnings,
    holds: detectRecords(table.header),
  }
}

const MAX_SHOWN_CELL_LENGTH = 100

const shortCell = (cell: string): string => printable(truncate(cell, MAX_SHOWN_CELL_LENGTH))
