import { getRouteApi } from '@tanstack/react-router'
import { useMemo } from 'react'
import type { Columns } from '#web/views/column-state.ts'
import { type ListView, useViewAddress } from '#web/views/hooks/use-view-address.ts'
import { DEFAULT_COLUMNS, DEFAULT_SORT } from '../defaults.ts'
import type { PipelineSearch } from '../pipeline-search.ts'
import { isBare, searchOf, stateOf } from '../pipeline-view.ts'

const route = getRouteApi('/shell/pipeline')
const DEFAULTS = { columns: DEFAULT_COLUMNS, sort: DEFAULT_SORT }

/**
 * The view that the pipeline shows.
 * @param own the user's columns outside of views
 */
export function usePipelineView(own: Columns): ListView<PipelineSearch> {
  const address = route.useSearch()
  const navigate = route.useNavigate()
  const { deal } = address
  return useViewAddress<PipelineSearch>({
    entity: 'deal',
    address,
    isBare: isBare(address),
    state: useMemo(() => stateOf(address, own), [address, own]),
    defaults: DEFAULTS,
    searchOf,
    kept: deal ? { deal } : {},
    go: (search, isOpening) =>
      navigate({ search, replace: isOpening, resetScroll: false, ...(isOpening && { state: true }) }),
  })
}
