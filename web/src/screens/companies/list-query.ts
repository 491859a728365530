import { keepPreviousData, type QueryKey, queryOptions } from '@tanstack/react-query'
import { type Company, type Page, type SearchResult, service } from '#web/service/service.ts'
import { type CompaniesSearch, filtersOf, isSemanticSearch, listFiltersOf } from './companies-search.ts'

/** A company as the list shows it; a result of semantic search also has its similarity. */
export type ListedCompany = Company & Partial<Pick<SearchResult, 'similarity' | 'shares' | 'matched_words'>>

/** One page of what the address asks for, by keyword or by semantic search. */
export function pageQuery(search: CompaniesSearch, page: number, limit: number) {
  const paging = { limit, offset: (page - 1) * limit }
  if (isSemanticSearch(search)) {
    const q = search.q?.trim() ?? ''
    const querystring = { q, ...filtersOf(search), ...paging }
    return companiesQuery(['search', querystring], (signal) =>
      service.searchCompanies({ querystring }, { signal }),
    )
  }
  const querystring = { ...listFiltersOf(search), ...(search.sort && { sort: search.sort }), ...paging }
  return companiesQuery(['list', querystring], (signal) => service.listCompanies({ querystring }, { signal }))
}

const companiesQuery = (key: QueryKey, read: (signal: AbortSignal) => Promise<Page<ListedCompany>>) =>
  queryOptions({
    queryKey: ['companies', ...key],
    queryFn: ({ signal }) => read(signal),
    placeholderData: keepPreviousData,
  })
