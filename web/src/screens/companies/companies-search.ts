import { filterParameterOf, type ListSearch, listSearch } from '#web/lists/list-search.ts'
import { type SimpleFilters, withSimpleFilters } from './simple-filters.ts'

/** The query of the list of companies. */
export interface CompaniesSearch extends ListSearch {
  /** How `q` is searched: by keyword in name and description (default), or semantically. */
  by?: 'semantic'
}

/** The parameters that a link to the list may contain. */
export type CompaniesLink = CompaniesSearch & SimpleFilters

/** @param search the query of `/companies`; unknown and invalid values are dropped, except an invalid filter */
export function companiesSearch(search: Record<string, unknown>): CompaniesSearch {
  const { q, filter: inAddress, ...others } = listSearch(search)
  const filter = withSimpleFilters(inAddress, search)
  return {
    ...(q && { q }),
    ...(search.by === 'semantic' && { by: 'semantic' as const }),
    ...(filter && { filter }),
    ...others,
  }
}

export const NO_FILTERS = { filter: undefined } satisfies Partial<CompaniesSearch>

export const hasFilters = (search: CompaniesSearch): boolean => search.filter !== undefined

/** Semantic search needs a query. */
export const isSemanticSearch = ({ q, by }: CompaniesSearch): boolean =>
  by === 'semantic' && Boolean(q?.trim())

/** The keyword search, in the form that the list, the facets, and the export take. */
export const keywordsOf = (search: CompaniesSearch): { search?: string } => {
  const words = isSemanticSearch(search) ? '' : (search.q?.trim() ?? '')
  return words ? { search: words } : {}
}

/** The filter and the keyword search in the form that the list and the export take. */
export const listFiltersOf = (search: CompaniesSearch) => ({
  ...filterParameterOf(search),
  ...keywordsOf(search),
})

let lastSearch: CompaniesSearch = {}

/** The latest list in this tab, for links back to it. */
export const lastCompaniesSearch = (): CompaniesSearch => lastSearch
export const rememberCompaniesSearch = (search: CompaniesSearch): void => {
  lastSearch = search
}
