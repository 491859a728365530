import { type RawBuilder, sql } from 'kysely'
import type { CompanyFilters } from '#src/features/companies/schema.ts'

/**
 * Whether the text has a run that a trigram index can look up. Without one the index would be read whole,
 * which takes eight times as long as reading the table.
 */
const hasTrigram = (text: string) =>
  /[\p{L}\p{N}]{3}|[\p{L}\p{N}]{2}[^\p{L}\p{N}]|[^\p{L}\p{N}][\p{L}\p{N}]/u.test(text)

/** The filters that the counters can answer. */
export function countedFilters(filters: CompanyFilters): RawBuilder<unknown>[] {
  const conditions: RawBuilder<unknown>[] = []
  if (filters.status) conditions.push(sql`status = ${filters.status}`)
  if (filters.country_code) conditions.push(sql`country_code = ${filters.country_code}`)
  if (filters.industry_category) conditions.push(sql`industry_category = ${filters.industry_category}`)
  if (filters.thesis_id) conditions.push(sql`thesis_id = ${filters.thesis_id}`)
  return conditions
}

/** How a search finds its matches: by the trigram index, or by looking at each row that is met in another order. */
export type Lookup = 'index' | 'walk'

/** The other filters: their matches have to be counted. */
export function otherFilters(
  { min_score, ids, search }: CompanyFilters,
  lookup: Lookup,
): RawBuilder<unknown>[] {
  const conditions: RawBuilder<unknown>[] = []
  if (min_score !== undefined) conditions.push(sql`llm_score_overall >= ${min_score}`)
  if (ids) conditions.push(sql`companies.id = any(${ids.split(',')})`)
  if (search) {
    // An expression is not the index's column; and behind a subselect the planner cannot guess from the pattern.
    const text = lookup === 'index' && hasTrigram(search) ? sql`search_text` : sql`(search_text || '')`
    conditions.push(sql`${text} like (select contains_pattern(${search}))`)
  }
  return conditions
}

export const companyConditions = (filters: CompanyFilters, lookup: Lookup): RawBuilder<unknown>[] => [
  ...countedFilters(filters),
  ...otherFilters(filters, lookup),
]

/** A text that is the same for the same filters. */
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
