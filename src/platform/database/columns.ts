import { sql } from 'kysely'
import type { Db } from './database.ts'

/** The columns of a table that are written, in their order. Generated columns are left out. */
export async function writtenColumns(db: Db, table: string): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select attname as name from pg_attribute
    where attrelid = ${table}::regclass and attnum > 0 and not attisdropped and attgenerated = ''
    order by attnum`.execute(db)
  return rows.map(({ name }) => name)
}
