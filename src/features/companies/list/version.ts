import { sql } from 'kysely'
import type { Db } from '#src/platform/database/database.ts'

/** The number of statements that have changed companies. Lists with equal versions are equal. */
export const version = sql`(select folded + (select count(*) from company_count_deltas) from company_changes)::float8`

/** The present version of the table. */
export async function readVersion(db: Db): Promise<number> {
  const { rows } = await sql<{ version: number }>`select ${version} as version`.execute(db)
  return rows[0]?.version ?? 0
}
