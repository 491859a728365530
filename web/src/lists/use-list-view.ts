import { useMemo } from 'react'
import type { Columns } from '#web/views/column-state.ts'
import { type ListView, useViewAddress } from '#web/views/hooks/use-view-address.ts'
import type { ViewEntity } from '#web/views/view-queries.ts'
import { isInView } from '#web/views/view-screens.ts'
import { DEFAULT_SORT, parseSort, type ViewState } from '#web/views/view-state.ts'
import { type ChangeSearch, isBare, type ListSearch, searchOf } from './list-search.ts'

/** The parts of an address that a view replaces. */
const NO_CHANGE = {
  q: undefined,
  by: undefined,
  filter: undefined,
  sort: undefined,
  columns: undefined,
}

interface ListViewOptions<Search extends ListSearch> {
  entity: ViewEntity
  address: Search
  change: ChangeSearch<Search>
  /** The user's columns outside of views. */
  own: Columns
  /** The columns of views that have none of their own. */
  defaults: Columns
}

/**
 * What the list shows, in the form of views.
 * @param own the user's columns outside of views
 */
function stateOf(search: ListSearch, own: Columns): ViewState {
  return {
    filter: search.filter ?? null,
    search: search.q?.trim() || null,
    sort: parseSort(search.sort),
    columns: [...(search.columns ?? (isInView(search) ? [] : own))],
    layout: null,
  }
}

/** The view that a list shows. */
export function useListView<Search extends ListSearch>(options: ListViewOptions<Search>): ListView<Search> {
  const { entity, address, change, own, defaults: columns } = options
  const { page } = address
  return useViewAddress<Search>({
    entity,
    address,
    isBare: isBare(address),
    state: useMemo(() => stateOf(address, own), [address, own]),
    defaults: useMemo(() => ({ columns, sort: DEFAULT_SORT }), [columns]),
    searchOf: searchOf as (id: string, state: ViewState) => Search,
    kept: (page ? { page } : {}) as Partial<Search>,
    go: (search, isOpening) => change({ ...NO_CHANGE, ...search }, { replace: isOpening }),
  })
}
