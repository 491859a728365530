import { useMemo } from 'react'
import type { ViewEntity } from '../view-queries.ts'
import { ALL } from '../view-screens.ts'
import { stateOfView, type ViewDefaults, type ViewState } from '../view-state.ts'
import { type OpenView, useOpenView } from './use-open-view.ts'

interface ViewAddressOptions<Search> {
  entity: ViewEntity
  address: Search & { view?: string }
  /** Whether the address only names the view. */
  isBare: boolean
  /** What the list shows. */
  state: ViewState
  defaults: ViewDefaults
  /** The address of a view's state. */
  searchOf: (id: string, state: ViewState) => Search
  /** The parts of the address besides the list, which stay when a view opens. */
  kept: Partial<Search>
  /** Replaces the address; while a view opens, without a step in the history. */
  go: (search: Search & { view?: string }, isOpening: boolean) => void
}

export interface ListView<Search> {
  open: OpenView
  state: ViewState
  defaults: ViewDefaults
  /** What the list shows, even while the address only names the view. */
  search: Search
  show: (id: string, state: ViewState) => void
  showAll: () => void
}

/** The view that an address opens, and the resulting address. */
export function useViewAddress<Search extends object>(options: ViewAddressOptions<Search>): ListView<Search> {
  const { entity, address, isBare, state, defaults, searchOf, kept, go } = options
  const open = useOpenView({
    entity,
    viewId: address.view,
    isBare,
    state,
    defaults,
    show: (id, shown) => go({ ...searchOf(id, shown), ...kept }, true),
  })
  const { opening } = open
  // biome-ignore lint/correctness/useExhaustiveDependencies: the others follow from the address
  const search = useMemo(
    () => (opening ? { ...searchOf(opening.id, stateOfView(opening)), ...kept } : address),
    [opening, address],
  )
  return {
    ...{ open, state, defaults, search },
    show: (id, shown) => go(searchOf(id, shown), false),
    showAll: () => go({ view: ALL } as Search & { view: string }, false),
  }
}
