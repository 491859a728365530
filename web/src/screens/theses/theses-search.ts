export interface ThesesSearch {
  /** Missing: all theses. */
  status?: string
}

/** @param search the query of `/theses` */
export const thesesSearch = (search: Record<string, unknown>): ThesesSearch =>
  search.status ? { status: String(search.status) } : {}
