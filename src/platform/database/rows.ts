import { type RawBuilder, sql } from 'kysely'

/** The types of columns in PostgreSQL, and of their values here. */
interface ColumnValues {
  text: string | null
  int: number | null
  bigint: string
  float8: number
  boolean: boolean
}

type Columns = Record<string, keyof ColumnValues>
type Row<C extends Columns> = { readonly [Column in keyof C]: ColumnValues[C[Column]] }

/**
 * Records as rows of a query: `unnest(…) as name(columns)`. It takes one parameter per column, so the statement stays the
 * same whatever the number of records.
 * @param columns the type of each column, in the order of the columns
 */
export const rowsFrom = <const C extends Columns>(
  name: string,
  columns: C,
  records: readonly Row<C>[],
): RawBuilder<unknown> => {
  const names = Object.keys(columns)
  const values = names.map(
    (column) => sql`${records.map((record) => record[column] ?? null)}::${sql.raw(`${columns[column]}[]`)}`,
  )
  return sql`unnest(${sql.join(values)}) as ${sql.id(name)}(${sql.join(names.map((column) => sql.id(column)))})`
}
