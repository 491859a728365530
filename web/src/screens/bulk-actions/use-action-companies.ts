import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { isUnderWay } from '#web/bulk-actions/bulk-actions-under-way.ts'
import { queries } from '#web/service/queries.ts'
import type { BulkAction } from '#web/service/service.ts'

export const A_PAGE = 25
const LOOK_EVERY_MS = 5000

/** The companies that an action is done with, or that failed, a page at a time, for as long as it runs as they become more. */
export function useActionCompanies(action: BulkAction, state: 'processed' | 'failed') {
  const [page, goTo] = useState(1)
  const list = useQuery({
    ...queries.bulkActionCompanies(action.id, { state, limit: A_PAGE, offset: (page - 1) * A_PAGE }),
    refetchInterval: isUnderWay(action) ? LOOK_EVERY_MS : false,
  })
  const pages = Math.ceil((list.data?.pagination.total ?? 0) / A_PAGE)
  return { list, page, pages, goTo }
}
