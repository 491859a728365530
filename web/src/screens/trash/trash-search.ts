const TYPES = ['company', 'dealflow', 'thesis', 'person', 'note', 'decision', 'task', 'file'] as const

export interface TrashSearch {
  type?: (typeof TYPES)[number]
  /** Starts at 1. */
  page?: number
}

/** @param search the query of `/trash` */
export function trashSearch(search: Record<string, unknown>): TrashSearch {
  const type = TYPES.find((known) => known === search.type)
  const page = Number(search.page)
  return { ...(type && { type }), ...(Number.isInteger(page) && page > 1 && { page }) }
}
