import { queryClient } from '#web/service/query-client.ts'
import type { CompaniesSearch } from './companies-search.ts'
import { pageQuery } from './list-query.ts'
import { MAX_SELECTED } from './selection.ts'

/** What the service gives at once. */
const PAGE_SIZE = 1000

interface FetchIdsOptions {
  onProgress: (count: number) => void
  signal: AbortSignal
}

/**
 * The ids of all companies that match, in the order of the list, at most as many as can be worked on at once.
 * @returns null: it was given up
 */
export async function fetchMatchingIds(
  search: CompaniesSearch,
  { onProgress, signal }: FetchIdsOptions,
): Promise<string[] | null> {
  const ids = new Set<string>()
  for (let page = 1; ids.size < MAX_SELECTED; page++) {
    const { data, pagination } = await queryClient.fetchQuery({
      ...pageQuery(search, page, PAGE_SIZE),
      gcTime: 0,
    })
    if (signal.aborted) return null
    for (const { id } of data) ids.add(id)
    onProgress(ids.size)
    if (!pagination.hasMore || data.length === 0) break
  }
  return [...ids].slice(0, MAX_SELECTED)
}
