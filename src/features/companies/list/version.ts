import { sql } from 'kysely'
import { CHANGE_LOG_LENGTH } from '#src/platform/database/counters.ts'
import type { Db } from '#src/platform/database/database.ts'

/** The number of statements that have changed companies. Lists with equal versions are equal. */
export const version = sql`(select folded + (select count(*) from company_count_deltas) from company_changes)::float8`

/** The number of these statements that are in the change log. */
export const folded = sql`(select folded from company_changes)::float8`

/**
 * The ids of the companies that have changed since a position in the change log. The order and limit make PostgreSQL
 * use the index: without statistics on the position it would read the whole log, in parallel.
 */
export const changedSince = (position: number) =>
  sql`select unnest(ids) as id from (
      select ids from company_change_log where position > ${position}
      order by position limit ${sql.lit(CHANGE_LOG_LENGTH)}) logged
    union all select unnest(ids) from company_count_deltas`

/** The present version of the table. */
export async function readVersion(db: Db): Promise<number> {
  const { rows } = await sql<{ version: number }>`select ${version} as version`.execute(db)
  return rows[0]?.version ?? 0
}
