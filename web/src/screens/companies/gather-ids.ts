import { queryClient } from '#web/service/query-client.ts'
import type { CompaniesSearch } from './companies-search.ts'
import { pageQuery } from './list-query.ts'
import { MOST_SELECTED } from './selection.ts'

/** What the service gives at once. */
const PAGE = 1000

interface Gathering {
  told: (count: number) => void
  signal: AbortSignal
}

/**
 * The ids of all companies that match, in the order of the list, at most as many as can be worked on at once.
 * @returns null: it was given up
 */
export async function gatherIds(
  search: CompaniesSearch,
  { told, signal }: Gathering,
): Promise<string[] | null> {
  const ids = new Set<string>()
  for (let page = 1; ids.size < MOST_SELECTED; page++) {
    const { data, pagination } = await queryClient.fetchQuery({
      ...pageQuery(search, page, PAGE),
      gcTime: 0,
    })
    if (signal.aborted) return null
    for (const { id } of data) ids.add(id)
    told(ids.size)
    if (!pagination.hasMore || data.length === 0) break
  }
  return [...ids].slice(0, MOST_SELECTED)
}
