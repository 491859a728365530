import type { UseQueryResult } from '@tanstack/react-query'
import { useEffect } from 'react'
import { pageCount } from '#web/api/paging.ts'
import type { Page } from '#web/api/service.ts'

interface ListPageOptions<Row> {
  list: UseQueryResult<Page<Row>>
  page: number
  limit: number
  change: (change: { page: number | undefined }, options: { replace: boolean }) => void
}

/** Compact rows are half as high. */
export const pageSize = (isCompact: boolean): number => (isCompact ? 100 : 50)

/** A page of a list. When the list has fewer pages now, goes to the last one. */
export function useListPage<Row>({ list, page, limit, change }: ListPageOptions<Row>) {
  const total = list.data?.pagination.total ?? 0
  const pages = Math.max(1, pageCount(list.data, limit))
  const isPastEnd = list.isSuccess && !list.isPlaceholderData && total > 0 && page > pages
  useEffect(() => {
    if (isPastEnd) change({ page: pages > 1 ? pages : undefined }, { replace: true })
  }, [isPastEnd, pages, change])
  return { list, rows: list.data?.data, total, page, pages, limit }
}
