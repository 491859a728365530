import { useQuery, useQueryClient } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useCallback, useEffect } from 'react'
import { useIsCompact } from '#web/ui/use-preferences.ts'
import { type CompaniesSearch, isByMeaning } from './companies-search.ts'
import { pageQuery } from './list-query.ts'

const route = getRouteApi('/shell/companies')

/** Only so long after a page came is the next one read: who leafs through quickly waits for none of those between. */
const PREFETCH_DELAY_MS = 400

export type ChangeSearch = (change: Partial<CompaniesSearch>, options?: { replace?: boolean }) => void

/** What the address asks for, and how to change it; a change other than of the page goes back to the first page. */
export function useListSearch(): [CompaniesSearch, ChangeSearch] {
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const change = useCallback<ChangeSearch>(
    (changed, { replace = false } = {}) => {
      const next = (before: CompaniesSearch): CompaniesSearch => {
        const all = { ...before, page: undefined, ...changed }
        return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined))
      }
      navigate({ search: next, replace, resetScroll: 'page' in changed })
    },
    [navigate],
  )
  return [search, change]
}

/** The page of companies that the address asks for; the next one is read before anybody asks for it. */
export function useCompanyList(search: CompaniesSearch, change: ChangeSearch) {
  const queryClient = useQueryClient()
  const isCompact = useIsCompact()
  const limit = isCompact ? 100 : 50
  const page = search.page ?? 1
  const list = useQuery(pageQuery(search, page, limit))
  const total = list.data?.pagination.total ?? 0
  const pages = Math.max(1, Math.ceil(total / limit))

  const prefetch = useCallback(
    (wanted: number) => {
      if (wanted >= 1 && wanted <= pages) queryClient.prefetchQuery(pageQuery(search, wanted, limit))
    },
    [queryClient, search, limit, pages],
  )
  // Searches by meaning are counted more strictly by the service: their next page is read when the pager is pointed at.
  const readsAhead = list.isSuccess && !list.isPlaceholderData && page < pages && !isByMeaning(search)
  useEffect(() => {
    if (!readsAhead) return
    const timer = setTimeout(() => prefetch(page + 1), PREFETCH_DELAY_MS)
    return () => clearTimeout(timer)
  }, [readsAhead, prefetch, page])

  const isPastEnd = list.isSuccess && !list.isPlaceholderData && total > 0 && page > pages
  useEffect(() => {
    if (isPastEnd) change({ page: pages > 1 ? pages : undefined }, { replace: true })
  }, [isPastEnd, pages, change])

  return { list, rows: list.data?.data, total, page, pages, limit, isCompact, prefetch }
}
