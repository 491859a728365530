/** The query of `/settings/tags`. */
interface TagsSearch {
  q?: string
  /** Starts at 1. */
  page?: number
}

/** @param search the query of the address; invalid values are dropped */
export function tagsSearch(search: Record<string, unknown>): TagsSearch {
  const page = Number(search.page)
  return {
    ...(search.q ? { q: String(search.q).slice(0, 64) } : {}),
    ...(Number.isSafeInteger(page) && page > 1 && { page }),
  }
}
