import { allOf, type Filter, partsOf } from '#web/filters/tree.ts'

/** Filters of one field each, which links may use instead of a tree. A repeated one matches any of its values. */
export interface SimpleFilters {
  status?: string | string[]
  country_code?: string | string[]
  industry_category?: string | string[]
  thesis_id?: string | string[]
  tags?: string | string[]
  owner_email?: string | string[]
  min_score?: number
}

/** The values that the service accepts. */
const VALID: Record<Exclude<keyof SimpleFilters, 'min_score'>, RegExp> = {
  status: /^[a-z][a-z0-9_]{0,63}$/,
  country_code: /^[A-Za-z]{2}$/,
  industry_category: /^.{1,200}$/s,
  thesis_id: /^.{1,100}$/s,
  tags: /^.{1,100}$/s,
  owner_email: /^.{1,254}$/s,
}

/** Adds simple filters of an address to its filter. Invalid values are dropped. */
export function withSimpleFilters(
  filter: Filter | undefined,
  search: Record<string, unknown>,
): Filter | undefined {
  const added = Object.entries(VALID).flatMap(([field, valid]): Filter[] => {
    const values = [search[field] ?? []]
      .flat()
      .map(String)
      .filter((value) => valid.test(value))
    return values.length > 0 ? [{ field, op: 'in', value: values }] : []
  })
  const minimum = Math.round(Number(search.min_score))
  if (minimum > 0 && minimum <= 100) added.push({ field: 'llm_score_overall', op: 'gte', value: minimum })
  return added.length > 0 ? allOf([...partsOf(filter), ...added]) : filter
}
