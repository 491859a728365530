import { type RawBuilder, sql } from 'kysely'
import type { Db } from '#src/platform/database/database.ts'
import { all } from '#src/platform/database/sql.ts'
import {
  companyConditions,
  countedConditions,
  filterKey,
  uncountedConditions,
} from '../selection/conditions.ts'
import type { Selection } from '../selection/selection.ts'
import { type ListCaches, type Total, version } from './cache.ts'

/** The number of companies with each tag; null: without tags. Tags may be repeated. */
export const tagCounts = sql`(
  select tag, n from company_tag_counts union all select tag, n from company_tag_count_deltas) tag_counts`

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

/** Counts the companies that match. */
export async function count(db: Db, filters: Selection): Promise<Total> {
  const { rows } = await sql<Total>`select ${countOf(filters)} as total, ${version} as version`.execute(db)
  return rows[0] as Total
}

/** The exact total at this version of the table or a later one, counted once per version. */
export const totalAt = (
  db: Db,
  { totals }: ListCaches,
  filters: Selection,
  minVersion: number,
): Promise<Total> => totals.get(filterKey(filters), minVersion, () => count(db, filters))
