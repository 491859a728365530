import { keepPreviousData, type QueryKey, queryOptions } from '@tanstack/react-query'
import { onePage } from '#web/api/paging.ts'
import { type Company, type Page, type SearchResult, service } from '#web/api/service.ts'
import { type Filter, filterText } from '#web/filters/tree.ts'
import { filterParameterOf } from '#web/lists/list-search.ts'
import { parseSort } from '#web/views/view-state.ts'
import { type CompaniesSearch, isSemanticSearch, keywordsOf, listFiltersOf } from './companies-search.ts'

/** Proxies allow addresses of 8 KB, and cookies are in the same headers. */
const MAX_FILTER_IN_ADDRESS = 4000

/** Whether a well-formed filter is too long for an address, so that the body of the request carries it. */
export const isLong = (filter: Filter | undefined): filter is Filter =>
  typeof filter === 'object' && encodeURIComponent(filterText(filter)).length > MAX_FILTER_IN_ADDRESS

/** A company as the list shows it; a result of semantic search also has its similarity. */
export type ListedCompany = Company & Partial<Pick<SearchResult, 'similarity' | 'shares' | 'matched_words'>>

/** One page of the list in the address, by keyword or by semantic search. */
export function pageQuery(search: CompaniesSearch, page: number, limit: number) {
  const paging = onePage(page, limit)
  if (isSemanticSearch(search)) {
    const q = search.q?.trim() ?? ''
    const querystring = { q, ...filterParameterOf(search), ...paging }
    return companiesQuery(['search', querystring], (signal) =>
      service.searchCompanies({ querystring }, { signal }),
    )
  }
  if (isLong(search.filter)) {
    const sort = search.sort && { sort: parseSort(search.sort) }
    const body = { filter: search.filter, ...keywordsOf(search), ...sort, ...paging }
    return companiesQuery(['list', body], (signal) => service.queryCompanies({ body }, { signal }))
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
