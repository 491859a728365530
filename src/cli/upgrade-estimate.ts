import { sql } from 'kysely'
import type { Db } from '#src/platform/database/database.ts'

/** How long a migration may take. */
export interface Estimate {
  seconds: number
  /** The table that takes most of it. */
  largest?: { table: string; rows: number }
}

const FEW_SECONDS = 10

/**
 * Estimates a migration from the rows of the tables that it reads or writes.
 * @param perMillion how many seconds a million rows of each table take; one that does not exist has none
 */
export async function estimate(db: Db, perMillion: Readonly<Record<string, number>>): Promise<Estimate> {
  let [seconds, most]: [number, number] = [0, 0]
  let largest: Estimate['largest']
  for (const [table, each] of Object.entries(perMillion)) {
    const rows = await countRows(db, table)
    const own = (rows * each) / 1e6
    seconds += own
    if (own > most) [most, largest] = [own, { table, rows }]
  }
  return largest ? { seconds, largest } : { seconds }
}

/** The rows of a table; 0 if it does not exist. */
export async function countRows(db: Db, table: string): Promise<number> {
  const { rows: found } = await sql<{ exists: boolean }>`
    select to_regclass(${table}) is not null as exists`.execute(db)
  if (!found[0]?.exists) return 0
  const { rows } = await sql<{
    count: number
  }>`select count(*)::float8 as count from ${sql.table(table)}`.execute(db)
  return rows[0]?.count ?? 0
}

/** Such as "a few seconds", or "about 2 minutes for 1,200,000 rows of activity". */
export function shown({ seconds, largest }: Estimate): string {
  if (seconds < FEW_SECONDS) return 'a few seconds'
  const minutes = Math.round(seconds / 60)
  const time = seconds < 90 ? `${Math.round(seconds / 10) * 10} seconds` : `${minutes} minutes`
  return largest ? `about ${time} for ${numberOf(largest.rows)} rows of ${largest.table}` : `about ${time}`
}

/** With commas between thousands. */
export const numberOf = (count: number): string => count.toLocaleString('en-US')
