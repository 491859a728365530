import { type RawBuilder, sql } from 'kysely'
import type { Db } from '#src/platform/database/database.ts'
import { all } from '#src/platform/database/sql.ts'
import { companyConditions, countedConditions, filterKey, uncountedConditions } from './filters.ts'
import { readsOtherTables, type Selection } from './selection.ts'
import { tagCounts } from './tag-counts.ts'
import type { Total, TotalCache } from './totals.ts'
import { version } from './version.ts'

/** The exact number of companies that match: a sum of counters if they can answer. */
export function countOf(filters: Selection): RawBuilder<number> {
  const { tags, ...others } = filters
  const [tag, ...otherTags] = [tags ?? []].flat()
  if (tag !== undefined && otherTags.length === 0 && companyConditions(others, 'scan').length === 0)
    return sql`(select coalesce(sum(n), 0) from ${tagCounts} where tag = ${tag})::float8`
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
  filters: Selection,
  minVersion: number,
): Promise<Total> => {
  const count = async () => {
    const { rows } = await sql<Total>`select ${countOf(filters)} as total, ${version} as version`.execute(db)
    return rows[0] as Total
  }
  return readsOtherTables(filters) ? count() : totals.get(filterKey(filters), minVersion, count)
}
