import type { IdPrefix } from '#src/platform/ids.ts'
import { fieldError } from '../rows/limits.ts'
import { COLUMN_NAMES, type ImportField } from './column-names.ts'
import { recognizeColumns } from './recognize-columns.ts'

/** What an import of one kind of record knows of columns. */
export interface ColumnKind<Field extends string = string> {
  /** The prefix of the ids of these records. */
  prefix: IdPrefix
  fields: readonly Field[]
  /** The indexes of the columns of each field, best first. */
  recognize(header: readonly string[]): Map<Field, number[]>
  /** Only our own exports have all of these columns. */
  exportColumns: readonly string[]
  /** The fields whose values have a format that all cells of a column share. */
  formatted: Readonly<Record<string, 'money' | 'count' | 'date'>>
  /** The field with the currency of the amounts of a row. */
  currency?: Field
  /** The problem of one value; undefined: there is none. */
  fieldError(field: string, value: unknown): string | undefined
}

/** The columns of companies. */
export const COMPANY_COLUMNS: ColumnKind<ImportField> = {
  prefix: 'cmp',
  fields: Object.keys(COLUMN_NAMES) as ImportField[],
  recognize: recognizeColumns,
  exportColumns: ['id', 'thesis_code', 'llm_score_details', 'updated_at'],
  formatted: { employee_count: 'count', revenue_eur: 'money', llm_score_overall: 'count' },
  fieldError,
}
