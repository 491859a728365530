import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { onePage, pageCount } from '#web/api/paging.ts'
import { queries } from '#web/api/queries.ts'
import type { BulkAction } from '#web/api/service.ts'
import { isInProgress } from '#web/bulk-actions/latest-bulk-actions.ts'

const PAGE_SIZE = 25
const POLL_INTERVAL_MS = 5000

/** The processed or failed companies of an action, one page at a time, polled while it runs. */
export function useActionCompanies(
  action: BulkAction,
  state: 'processed' | 'failed',
  sort: 'company_id' | 'change' = 'company_id',
) {
  const [page, goTo] = useState(1)
  const list = useQuery({
    ...queries.bulkActionCompanies(action.id, {
      state,
      sort,
      ...onePage(page, PAGE_SIZE),
    }),
    refetchInterval: isInProgress(action) ? POLL_INTERVAL_MS : false,
  })
  const pages = pageCount(list.data, PAGE_SIZE)
  return { list, page, pages, goTo }
}
