import { sql } from 'kysely'
import type { Db } from '#src/platform/database/database.ts'

const statements = sql`(select count(*) from company_count_deltas)`

/** The number of statements that have changed companies. Lists with equal versions are equal. */
export const version = sql`(select folded + ${statements} from company_changes)::float8`

/** Also counts logo changes, because pages contain logo URLs. */
export const pageVersion = sql`(select folded + logo_changes + ${statements} from company_changes)::float8`

/** The present version of the table. */
export const readVersion = (db: Db): Promise<number> => read(db, version)

/** The present version of pages: as long as it stays the same, so does every page. */
export const readPageVersion = (db: Db): Promise<number> => read(db, pageVersion)

async function read(db: Db, counted: typeof version): Promise<number> {
  const { rows } = await sql<{ version: number }>`select ${counted} as version`.execute(db)
  return rows[0]?.version ?? 0
}
