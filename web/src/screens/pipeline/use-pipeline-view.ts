import { getRouteApi } from '@tanstack/react-router'
import { useMemo } from 'react'
import { type ListView, useViewAddress } from '#web/views/use-view-address.ts'
import type { PipelineSearch } from './pipeline-search.ts'
import { isBare, searchOf, stateOf } from './pipeline-view.ts'

const route = getRouteApi('/shell/pipeline')
const NO_COLUMNS: never[] = []

/** The view that the pipeline shows. */
export function usePipelineView(): ListView<PipelineSearch> {
  const address = route.useSearch()
  const navigate = route.useNavigate()
  const { deal } = address
  return useViewAddress<PipelineSearch>({
    entity: 'deal',
    address,
    isBare: isBare(address),
    state: useMemo(() => stateOf(address), [address]),
    defaultColumns: NO_COLUMNS,
    searchOf,
    kept: deal ? { deal } : {},
    go: (search, isOpening) => navigate({ search, replace: isOpening, resetScroll: false }),
  })
}
