import { useMemo } from 'react'
import type { Columns } from '#web/views/column-state.ts'
import { type ListView, useViewAddress } from '#web/views/hooks/use-view-address.ts'
import { isInView } from '#web/views/view-screens.ts'
import { DEFAULT_SORT, parseSort, type ViewState } from '#web/views/view-state.ts'
import type { CompaniesSearch } from '../companies-search.ts'
import { isBare, searchOf } from '../view-address.ts'
import type { ChangeSearch } from './use-company-list.ts'

const NO_CHANGE = {
  q: undefined,
  by: undefined,
  filter: undefined,
  sort: undefined,
  columns: undefined,
} satisfies Partial<CompaniesSearch>

/**
 * What the list shows, in the form of views.
 * @param own the user's columns outside of views
 */
function stateOf(search: CompaniesSearch, own: Columns): ViewState {
  return {
    filter: search.filter ?? null,
    search: search.q?.trim() || null,
    sort: parseSort(search.sort),
    columns: [...(search.columns ?? (isInView(search) ? [] : own))],
    layout: null,
  }
}

/**
 * The view that the list shows.
 * @param own the user's columns outside of views
 * @param columns those of views that have none of their own
 */
export function useListView(
  address: CompaniesSearch,
  change: ChangeSearch,
  own: Columns,
  columns: Columns,
): ListView<CompaniesSearch> {
  const { page } = address
  return useViewAddress<CompaniesSearch>({
    entity: 'company',
    address,
    isBare: isBare(address),
    state: useMemo(() => stateOf(address, own), [address, own]),
    defaults: useMemo(() => ({ columns, sort: DEFAULT_SORT }), [columns]),
    searchOf,
    kept: page ? { page } : {},
    go: (search, isOpening) => change({ ...NO_CHANGE, ...search }, { replace: isOpening }),
  })
}
