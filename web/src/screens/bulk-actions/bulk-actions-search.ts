/** What the list of bulk actions shows. */
export interface BulkActionsSearch {
  status?: 'pending' | 'running' | 'completed' | 'failed' | 'cancelled'
  /** From 1. */
  page?: number
}

export const STATUSES = ['pending', 'running', 'completed', 'failed', 'cancelled'] as const

/** @param search what follows the ? of `/bulk-actions`; what is not understood is left out */
export function bulkActionsSearch(search: Record<string, unknown>): BulkActionsSearch {
  const status = STATUSES.find((known) => known === search.status)
  const page = Number(search.page)
  return { ...(status && { status }), ...(Number.isSafeInteger(page) && page > 1 && { page }) }
}
