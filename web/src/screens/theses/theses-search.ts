export interface ThesesSearch {
  /** Without it all are shown. */
  status?: string
}

/** @param search what follows the ? of `/theses` */
export const thesesSearch = (search: Record<string, unknown>): ThesesSearch =>
  search.status ? { status: String(search.status) } : {}
