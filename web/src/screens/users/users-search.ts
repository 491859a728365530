/** The query of `/admin/users`. */
interface UsersSearch {
  q?: string
  /** Starts at 1. */
  page?: number
}

/** @param search the query of the address; invalid values are dropped */
export function usersSearch(search: Record<string, unknown>): UsersSearch {
  const page = Number(search.page)
  return {
    ...(search.q ? { q: String(search.q) } : {}),
    ...(Number.isSafeInteger(page) && page > 1 && { page }),
  }
}
