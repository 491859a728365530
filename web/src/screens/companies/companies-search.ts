import type { CompanyQuery } from '#web/service/service.ts'

export type CompanySort = NonNullable<CompanyQuery['sort']>

/** What the list of companies shows, as its address says it. */
export interface CompaniesSearch {
  q?: string
  /** Whether `q` is looked for as words in name and description (default) or by its meaning. */
  by?: 'meaning'
  status?: string
  country_code?: string
  industry_category?: string
  thesis_id?: string
  min_score?: number
  sort?: CompanySort
  /** From 1. */
  page?: number
}

/** What the service takes as the value of a filter; anything else it would refuse. */
const FILTERS = {
  status: /^[a-z][a-z0-9_]{0,63}$/,
  country_code: /^[A-Za-z]{2}$/,
  industry_category: /^.{1,200}$/s,
  thesis_id: /^.{1,100}$/s,
}
const SORT = /^-?(?:created_at|updated_at|name|llm_score_overall|revenue_eur|employee_count|founded_year)$/

/** @param search what follows the ? of `/companies`; what is not known or not valid is left out */
export function companiesSearch(search: Record<string, unknown>): CompaniesSearch {
  const page = Number(search.page)
  const minScore = Math.round(Number(search.min_score))
  const isFiltered = ([filter, valid]: [string, RegExp]) =>
    search[filter] !== undefined && search[filter] !== null && valid.test(String(search[filter]))
  return {
    ...(search.q ? { q: String(search.q).slice(0, 1000) } : {}),
    ...(search.by === 'meaning' && { by: 'meaning' as const }),
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

/** The filters at the side of the list. */
export const FACETS = ['status', 'country_code', 'industry_category', 'thesis_id'] as const
export type Facet = (typeof FACETS)[number]

/** What companies have to have, besides what is searched for. */
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

/** Whether the list is what was found by meaning; without words to look for it never is. */
export const isByMeaning = ({ q, by }: CompaniesSearch): boolean => by === 'meaning' && Boolean(q?.trim())

/** The filters as the list, the facets and the export take them. */
export const listFiltersOf = (search: CompaniesSearch) => {
  const words = isByMeaning(search) ? '' : (search.q?.trim() ?? '')
  return { ...filtersOf(search), ...(words && { search: words }) }
}

let lastSearch: CompaniesSearch = {}

/** What the list showed last in this tab, to go back to. */
export const lastCompaniesSearch = (): CompaniesSearch => lastSearch
export const rememberCompaniesSearch = (search: CompaniesSearch): void => {
  lastSearch = search
}
