import { type RawBuilder, sql } from 'kysely'
import type { CompanyFilters } from '#src/features/companies/schema.ts'
import type { Db } from '#src/platform/database/database.ts'
import { all } from '#src/platform/database/sql.ts'
import { countedConditions, filterKey, uncountedConditions } from './filters.ts'
import type { Total, TotalCache } from './totals.ts'
import { version } from './version.ts'

/** The exact number of companies that match: a sum of counters if they can answer. */
export function countOf(filters: CompanyFilters): RawBuilder<number> {
  const counted = countedConditions(filters)
  const uncounted = uncountedConditions(filters, 'index')
  return uncounted.length > 0
    ? sql`(select count(*) from companies where ${all([...counted, ...uncounted])})::float8`
    : sql`(select coalesce(sum(n), 0) from
        (select * from company_counts union all select * from company_count_deltas) counts
        where ${all(counted)})::float8`
}

/** The exact total of a list at this version or a later one. */
export const totalAt = (
  db: Db,
  { totals }: { totals: TotalCache },
  filters: CompanyFilters,
  minVersion: number,
): Promise<Total> =>
  totals.get(filterKey(filters), minVersion, async () => {
    const { rows } = await sql<Total>`select ${countOf(filters)} as total, ${version} as version`.execute(db)
    return rows[0] as Total
  })
