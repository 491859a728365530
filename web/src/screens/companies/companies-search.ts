import { MAX_QUESTION_LENGTH } from '#src/client/limits.ts'
import type { CompanyQuery } from '#web/service/service.ts'

export type CompanySort = NonNullable<CompanyQuery['sort']>

/** The query of the list of companies. */
export interface CompaniesSearch {
  q?: string
  /** How `q` is searched: by keyword in name and description (default), or semantically. */
  by?: 'semantic'
  status?: string
  country_code?: string
  industry_category?: string
  thesis_id?: string
  min_score?: number
  sort?: CompanySort
  /** Starts at 1. */
  page?: number
}

/** The filter values that the service accepts. */
const FILTERS = {
  status: /^[a-z][a-z0-9_]{0,63}$/,
  country_code: /^[A-Za-z]{2}$/,
  industry_category: /^.{1,200}$/s,
  thesis_id: /^.{1,100}$/s,
}
const SORT = /^-?(?:created_at|updated_at|name|llm_score_overall|revenue_eur|employee_count|founded_year)$/

/** @param search the query of `/companies`; unknown and invalid values are dropped */
export function companiesSearch(search: Record<string, unknown>): CompaniesSearch {
  const page = Number(search.page)
  const minScore = Math.round(Number(search.min_score))
  const isFiltered = ([filter, valid]: [string, RegExp]) =>
    search[filter] !== undefined && search[filter] !== null && valid.test(String(search[filter]))
  return {
    ...(search.q ? { q: String(search.q).slice(0, MAX_QUESTION_LENGTH) } : {}),
    ...(search.by === 'semantic' && { by: 'semantic' as const }),
    ...Object.fromEntries(
      Object.entries(FILTERS)
        .filter(isFiltered)
        .map(([filter]) => [filter, String(search[filter])]),
    ),
    ...(minScore > 0 && minScore <= 100 && { min_score: minScore }),
    ...(SORT.test(String(search.sort)) && { sort: search.sort as CompanySort }),
    ...(Number.isSafeInteger(page) && page > 1 && { page }),
  }
}

/** The filters beside the list. */
export const FACETS = ['status', 'country_code', 'industry_category', 'thesis_id'] as const
export type Facet = (typeof FACETS)[number]

/** All filters except the search text. */
export const filtersOf = ({
  status,
  country_code,
  industry_category,
  thesis_id,
  min_score,
}: CompaniesSearch) => ({
  ...(status && { status }),
  ...(country_code && { country_code }),
  ...(industry_category && { industry_category }),
  ...(thesis_id && { thesis_id }),
  ...(min_score && { min_score }),
})

export const hasFilters = (search: CompaniesSearch): boolean => Object.keys(filtersOf(search)).length > 0

/** Semantic search needs a query. */
export const isSemanticSearch = ({ q, by }: CompaniesSearch): boolean =>
  by === 'semantic' && Boolean(q?.trim())

/** The filters in the form that the list, the facets, and the export take. */
export const listFiltersOf = (search: CompaniesSearch) => {
  const words = isSemanticSearch(search) ? '' : (search.q?.trim() ?? '')
  return { ...filtersOf(search), ...(words && { search: words }) }
}

let lastSearch: CompaniesSearch = {}

/** The latest list in this tab, for links back to it. */
export const lastCompaniesSearch = (): CompaniesSearch => lastSearch
export const rememberCompaniesSearch = (search: CompaniesSearch): void => {
  lastSearch = search
}
