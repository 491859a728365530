import { sql } from 'kysely'
import type { Db } from '#src/platform/database/database.ts'
import type { Stats } from './schema.ts'

/** The totals. Companies are counted by their counters, so the query stays fast with a million of them. */
export async function readStats(db: Db): Promise<Stats> {
  const { rows } = await sql<Stats>`
    select coalesce(sum(n), 0)::int as companies_total,
      coalesce(sum(n) filter (where status = 'active'), 0)::int as companies_active,
      (select count(*)::int from dealflow where status = 'active') as dealflow_active,
      (select count(*)::int from theses where status = 'active') as theses_active
    from (select status, n from company_counts union all select status, n from company_count_deltas) counts
  `.execute(db)
  return rows[0] as Stats
}
