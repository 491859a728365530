/** The query of the list of bulk actions. */
export interface BulkActionsSearch {
  status?: 'pending' | 'running' | 'completed' | 'failed' | 'cancelled'
  /** Starts at 1. */
  page?: number
}

export const STATUSES = ['pending', 'running', 'completed', 'failed', 'cancelled'] as const

/** @param search the query of `/bulk-actions`; invalid values are dropped */
export function bulkActionsSearch(search: Record<string, unknown>): BulkActionsSearch {
  const status = STATUSES.find((known) => known === search.status)
  const page = Number(search.page)
  return { ...(status && { status }), ...(Number.isSafeInteger(page) && page > 1 && { page }) }
}
