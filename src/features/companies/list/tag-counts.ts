import { sql } from 'kysely'

/** The number of companies with each tag; null: without tags. Tags may be repeated. */
export const tagCounts = sql`(
  select tag, n from company_tag_counts union all select tag, n from company_tag_count_deltas) tag_counts`
