import { useQuery } from '@tanstack/react-query'
import { useMemo, useRef } from 'react'
import { allOf, idsFilter, listedIds, partsOf } from '#web/filters/tree.ts'
import { service } from '#web/service/service.ts'
import { type CompaniesSearch, keywordsOf } from './companies-search.ts'
import { useSelectedIds } from './selection.ts'

/**
 * The number of selected companies that the filter and the keywords hide. Only those that were selected in another list
 * can be hidden, so only they are counted.
 * @returns undefined while it is not known
 */
export function useHiddenCount(search: CompaniesSearch): number | undefined {
  const ids = useSelectedIds()
  const carried = useCarried(ids, listKeyOf(search))
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

const listKeyOf = (search: CompaniesSearch): string => JSON.stringify([search.filter, keywordsOf(search)])

/** The selected ids that were selected before the list changed for the last time. */
function useCarried(ids: ReadonlySet<string>, listKey: string): readonly string[] {
  // After a visit to another screen, it is not known in which list they were selected.
  const list = useRef({ listKey, before: ids })
  if (list.current.listKey !== listKey) list.current = { listKey, before: ids }
  return [...ids].filter((id) => list.current.before.has(id))
}
