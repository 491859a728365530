export interface DuplicatesSearch {
  status?: 'dismissed'
  /** Only pairs with this company. */
  company?: string
  /** Starts at 1. */
  page?: number
}

/** @param search the query of `/duplicates` */
export function duplicatesSearch(search: Record<string, unknown>): DuplicatesSearch {
  const page = Number(search.page)
  return {
    ...(search.status === 'dismissed' && { status: 'dismissed' as const }),
    ...(search.company ? { company: String(search.company) } : {}),
    ...(Number.isInteger(page) && page > 1 && { page }),
  }
}
