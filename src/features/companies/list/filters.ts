import { type RawBuilder, sql } from 'kysely'
import type { CompanyFilters } from '#src/features/companies/schema.ts'

/**
 * Whether a trigram index can look up the text. If it cannot, PostgreSQL would read the whole index, which takes eight
 * times as long as reading the table.
 */
export const hasTrigram = (text: string) =>
  /[\p{L}\p{N}]{3}|[\p{L}\p{N}]{2}[^\p{L}\p{N}]|[^\p{L}\p{N}][\p{L}\p{N}]/u.test(text)

/** The conditions on the columns that have counters. */
export function countedConditions(filters: CompanyFilters): RawBuilder<unknown>[] {
  const conditions: RawBuilder<unknown>[] = []
  if (filters.status) conditions.push(sql`status = ${filters.status}`)
  if (filters.country_code) conditions.push(sql`country_code = ${filters.country_code}`)
  if (filters.industry_category) conditions.push(sql`industry_category = ${filters.industry_category}`)
  if (filters.thesis_id) conditions.push(sql`thesis_id = ${filters.thesis_id}`)
  return conditions
}

/** How a search finds its matches: through the trigram index, or by checking each row of a scan in another order. */
export type Lookup = 'index' | 'scan'

/** The conditions that no counter can answer. */
export function uncountedConditions(
  { min_score, ids, search }: CompanyFilters,
  lookup: Lookup,
): RawBuilder<unknown>[] {
  const conditions: RawBuilder<unknown>[] = []
  if (min_score !== undefined) conditions.push(sql`llm_score_overall >= ${min_score}`)
  if (ids) conditions.push(sql`companies.id = any(${ids.split(',')})`)
  if (search) {
    // The index does not match an expression. The subselect hides the pattern from the planner, which would misjudge it.
    const text = lookup === 'index' && hasTrigram(search) ? sql`search_text` : sql`(search_text || '')`
    conditions.push(sql`${text} like (select contains_pattern(${search}))`)
  }
  return conditions
}

/** The conditions of all filters. */
export const companyConditions = (filters: CompanyFilters, lookup: Lookup): RawBuilder<unknown>[] => [
  ...countedConditions(filters),
  ...uncountedConditions(filters, lookup),
]

/** A cache key: equal filters have equal keys. */
export const filterKey = ({
  status,
  country_code,
  industry_category,
  thesis_id,
  min_score,
  ids,
  search,
}: CompanyFilters) =>
  JSON.stringify([status, country_code, industry_category, thesis_id, min_score, ids, search])
