import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useCallback, useEffect, useMemo } from 'react'
import { pageCount } from '#web/api/paging.ts'
import { useIsCompact } from '#web/ui/use-preferences.ts'
import { ALL, isInView } from '#web/views/view-screens.ts'
import { DEFAULT_SORT } from '#web/views/view-state.ts'
import type { CompaniesSearch } from '../companies-search.ts'
import { withLongLists, withoutLongLists } from '../kept-ids.ts'
import { pageQuery, pageSize } from '../list-query.ts'
import { isBare } from '../view-address.ts'

const route = getRouteApi('/shell/companies')

export type ChangeSearch = (
  change: Partial<CompaniesSearch> | ((before: CompaniesSearch) => Partial<CompaniesSearch>),
  options?: { replace?: boolean },
) => void

/**
 * The query in the address, and a function that changes it. Changing anything but the page returns to the first page.
 */
export function useListSearch(): [CompaniesSearch, ChangeSearch] {
  const address = route.useSearch()
  const search = useMemo(() => withLongLists(address), [address])
  const navigate = route.useNavigate()
  const change = useCallback<ChangeSearch>(
    (changes, { replace = false } = {}) => {
      const next = (before: CompaniesSearch): CompaniesSearch => {
        const changed = typeof changes === 'function' ? changes(before) : changes
        const all = withoutLongLists({ ...before, page: undefined, ...changed })
        const defined = Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined))
        return isBare(before) ? defined : withExplicitView(defined)
      }
      navigate({ search: next, replace, resetScroll: typeof changes !== 'function' && 'page' in changes })
    },
    [navigate],
  )
  return [search, change]
}

/**
 * An address that is empty or only names a view opens the view as it is saved. An address that is empty because a
 * filter was removed must not.
 */
function withExplicitView(search: CompaniesSearch): CompaniesSearch {
  if (!isBare(search)) return search
  return isInView(search) ? { ...search, sort: DEFAULT_SORT } : { ...search, view: ALL }
}

/**
 * The current page of companies.
 * @param isReady whether it is known what to list
 */
export function useCompanyList(search: CompaniesSearch, change: ChangeSearch, isReady: boolean) {
  const isCompact = useIsCompact()
  const limit = pageSize(isCompact)
  const page = search.page ?? 1
  const list = useQuery({ ...pageQuery(search, page, limit), enabled: isReady })
  const total = list.data?.pagination.total ?? 0
  const pages = Math.max(1, pageCount(list.data, limit))

  const isPastEnd = list.isSuccess && !list.isPlaceholderData && total > 0 && page > pages
  useEffect(() => {
    if (isPastEnd) change({ page: pages > 1 ? pages : undefined }, { replace: true })
  }, [isPastEnd, pages, change])

  return { list, rows: list.data?.data, total, page, pages, limit, isCompact }
}
