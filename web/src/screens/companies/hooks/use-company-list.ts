import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useCallback, useMemo } from 'react'
import { type ChangeSearch, changedSearch } from '#web/lists/list-search.ts'
import { pageSize, useListPage } from '#web/lists/use-list-page.ts'
import { useIsCompact } from '#web/ui/use-preferences.ts'
import type { CompaniesSearch } from '../companies-search.ts'
import { withLongLists, withoutLongLists } from '../kept-ids.ts'
import { pageQuery } from '../list-query.ts'

const route = getRouteApi('/shell/companies')

export type ChangeCompanies = ChangeSearch<CompaniesSearch>

/**
 * The query in the address, and a function that changes it. Changing anything but the page returns to the first page.
 */
export function useListSearch(): [CompaniesSearch, ChangeCompanies] {
  const address = route.useSearch()
  const search = useMemo(() => withLongLists(address), [address])
  const navigate = route.useNavigate()
  const change = useCallback<ChangeCompanies>(
    (changes, { replace = false } = {}) =>
      navigate({
        search: (before: CompaniesSearch) => changedSearch(before, changes, withoutLongLists),
        replace,
        resetScroll: typeof changes !== 'function' && 'page' in changes,
      }),
    [navigate],
  )
  return [search, change]
}

/**
 * The current page of companies.
 * @param isReady whether it is known what to list
 */
export function useCompanyList(search: CompaniesSearch, change: ChangeCompanies, isReady: boolean) {
  const isCompact = useIsCompact()
  const limit = pageSize(isCompact)
  const page = search.page ?? 1
  const list = useQuery({ ...pageQuery(search, page, limit), enabled: isReady })
  return { ...useListPage({ list, page, limit, change }), isCompact }
}
