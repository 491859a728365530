import type { keepPreviousData, QueryFunction } from '@tanstack/react-query'
import { queries } from '#web/service/queries.ts'
import type { Company, Page, SearchResult } from '#web/service/service.ts'
import { type CompaniesSearch, filtersOf, isByMeaning, listFiltersOf } from './companies-search.ts'

/** A company as the list shows it; what was found by meaning says how near it is. */
export type ListedCompany = Company & Partial<Pick<SearchResult, 'similarity' | 'matched_words'>>

interface PageOptions {
  queryKey: readonly unknown[]
  queryFn: QueryFunction<Page<ListedCompany>>
  placeholderData: typeof keepPreviousData
}

/** One page of what the address asks for, whichever of the two searches answers it. */
export function pageQuery(search: CompaniesSearch, page: number, limit: number): PageOptions {
  const paging = { limit, offset: (page - 1) * limit }
  const options = isByMeaning(search)
    ? queries.companySearch({
        q: search.q?.trim() ?? '',
        mode: 'hybrid' as const,
        ...filtersOf(search),
        ...paging,
      })
    : queries.companies({
        ...listFiltersOf(search),
        ...(search.sort && { sort: search.sort }),
        ...paging,
      })
  return options as unknown as PageOptions
}
