import { MAX_PAGE_SIZE } from '#web/api/paging.ts'
import { queryClient } from '#web/api/query-client.ts'
import type { CompaniesSearch } from './companies-search.ts'
import { pageQuery } from './list-query.ts'
import { MAX_SELECTED } from './selection.ts'

interface FetchIdsOptions {
  onProgress?: (count: number) => void
  signal?: AbortSignal
}

/**
 * Fetches the ids of all matching companies in list order, up to `MAX_SELECTED`.
 * @returns null if it was canceled
 */
export async function fetchMatchingIds(
  search: CompaniesSearch,
  { onProgress, signal }: FetchIdsOptions = {},
): Promise<string[] | null> {
  const ids = new Set<string>()
  for (let page = 1; ids.size < MAX_SELECTED; page++) {
    const { data, pagination } = await queryClient.fetchQuery({
      ...pageQuery(search, page, MAX_PAGE_SIZE),
      gcTime: 0,
    })
    if (signal?.aborted) return null
    for (const { id } of data) ids.add(id)
    onProgress?.(ids.size)
    if (!pagination.hasMore || data.length === 0) break
  }
  return [...ids].slice(0, MAX_SELECTED)
}
