import { getRouteApi } from '@tanstack/react-router'
import { useMemo } from 'react'
import { joinSort } from '#src/client/limits.ts'
import { readControls, withControls, wordControl } from '#web/views/filter-controls.ts'
import { type ListView, useViewAddress } from '#web/views/hooks/use-view-address.ts'
import { ALL } from '#web/views/view-screens.ts'
import { DEFAULT_SORT, EMPTY_STATE, parseSort, type ViewState } from '#web/views/view-state.ts'
import type { ThesesSearch } from '../theses-search.ts'

const route = getRouteApi('/shell/theses')
const CONTROLS = { status: wordControl('status') }
const DEFAULTS = { columns: [], sort: DEFAULT_SORT }

type ChangeTheses = (change: Partial<ThesesSearch>, options?: { replace: boolean }) => void

/** The view that the list of theses shows, and a function that changes what it shows. */
export function useThesesView(): ListView<ThesesSearch> & { change: ChangeTheses } {
  const address = route.useSearch()
  const navigate = route.useNavigate()
  const view = useViewAddress<ThesesSearch>({
    entity: 'thesis',
    address,
    isBare: Object.keys(address).every(
      (key) => key === 'view' || address[key as keyof ThesesSearch] === undefined,
    ),
    state: useMemo(() => stateOf(address), [address]),
    defaults: DEFAULTS,
    searchOf,
    kept: {},
    go: (search, replace) => navigate({ search, replace }),
  })
  // The status is always part of the address, which tells it apart from an address that only opens a view.
  const change: ChangeTheses = (changed, options) =>
    navigate({ search: (before) => ({ view: ALL, status: 'all', ...before, ...changed }), ...options })
  return { ...view, change }
}

const stateOf = ({ status = 'all', filter, sort }: ThesesSearch): ViewState => ({
  ...EMPTY_STATE,
  filter: withControls<{ status: string }>(
    { ...(status !== 'all' && { status }), ...(filter !== undefined && { filter }) },
    CONTROLS,
  ),
  sort: parseSort(sort),
})

const searchOf = (id: string, { filter, sort }: ViewState): ThesesSearch => ({
  view: id,
  status: 'all',
  ...readControls<{ status: string }>(filter, CONTROLS),
  ...(sort.length > 0 && { sort: joinSort(sort) }),
})
