import type { AmountFormat } from '../cells/amounts.ts'
import type { CountFormat } from '../cells/counts.ts'
import type { DateFormat } from '../cells/dates.ts'
import type { ColumnFormat } from '../schema.ts'

/** How the values of each column are written. */
export interface ColumnFormats {
  /** For people. */
  report: ColumnFormat[]
  /** By the name of a field and the index of a column. */
  amounts: ReadonlyMap<string, AmountFormat>
  counts: ReadonlyMap<string, CountFormat>
  dates: ReadonlyMap<string, DateFormat>
  /** Whether the country in the columns with these indexes is a code, so that NA is Namibia. */
  countryCodes: ReadonlySet<number>
}

/** The key of a column's format for a field. */
export const formatKey = (field: string, index: number): string => `${index} ${field}`
