import { useQuery } from '@tanstack/react-query'
import { useMemo, useRef } from 'react'
import { service } from '#web/api/service.ts'
import { allOf, idsFilter, listedIds, partsOf } from '#web/filters/tree.ts'
import { type CompaniesSearch, isSemanticSearch, keywordsOf } from '../companies-search.ts'
import { pageQuery } from '../list-query.ts'
import { listKeyOf, useSelectedIds } from '../selection.ts'

/**
 * The service does not count semantic results, so they are compared with the selection. More would take several
 * requests.
 */
const MAX_COMPARED = 1000

/**
 * The number of selected companies that the filter and the search hide. Only those that were selected in another list
 * can be hidden, so only they are counted.
 * @returns undefined while it is not known; 'some' if a semantic search has too many results to tell
 */
export function useHiddenCount(search: CompaniesSearch): number | 'some' | undefined {
  const ids = useSelectedIds()
  const carried = useCarried(ids, listKeyOf(search))
  const isSemantic = isSemanticSearch(search)
  const byFilter = useHiddenByFilter(search, isSemantic ? [] : carried)
  const results = useQuery({
    ...pageQuery(search, 1, MAX_COMPARED),
    enabled: isSemantic && carried.length > 0,
    gcTime: 0,
  })
  if (!isSemantic) return byFilter
  if (carried.length === 0) return 0
  if (!results.data || results.isPlaceholderData) return undefined
  const shown = new Set(results.data.data.map(({ id }) => id))
  const missing = carried.filter((id) => !shown.has(id)).length
  return missing > 0 && results.data.pagination.hasMore ? 'some' : missing
}

/** How many of these companies the filter and the keywords hide; undefined while it is not known. */
function useHiddenByFilter(search: CompaniesSearch, carried: readonly string[]): number | undefined {
  const { search: keywords } = keywordsOf(search)
  const isFiltered = search.filter !== undefined || keywords !== undefined
  const listed = useMemo(() => listedIds(search.filter), [search.filter])
  const isKnown = listed !== undefined && keywords === undefined
  const { data: matching } = useQuery({
    queryKey: ['companies', 'selected', listKeyOf(search), carried],
    queryFn: async ({ signal }) => {
      const filter = allOf([...partsOf(search.filter), idsFilter(carried, 'in')])
      const body = { ...(filter && { filter }), ...keywordsOf(search), limit: 0 }
      return (await service.queryCompanies({ body }, { signal })).pagination.total
    },
    enabled: isFiltered && !isKnown && carried.length > 0,
    gcTime: 0,
  })
  if (!isFiltered || carried.length === 0) return 0
  if (isKnown) return carried.filter((id) => !listed.has(id)).length
  return matching === undefined ? undefined : carried.length - matching
}

/** The selected ids that were selected before the list changed for the last time. */
function useCarried(ids: ReadonlySet<string>, listKey: string): readonly string[] {
  // After a visit to another screen, it is not known in which list they were selected.
  const list = useRef({ listKey, before: ids })
  if (list.current.listKey !== listKey) list.current = { listKey, before: ids }
  return [...ids].filter((id) => list.current.before.has(id))
}
