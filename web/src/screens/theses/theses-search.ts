import type { Filter } from '#web/filters/tree.ts'

export interface ThesesSearch {
  /** The id of a saved view. */
  view?: string
  /** `all` or missing: all theses. */
  status?: string
  /** As in the address, which may be wrong: the service checks it. */
  filter?: Filter
  /** As the service takes it. Views may have one. */
  sort?: string
}

/** @param search the query of `/theses` */
export const thesesSearch = (search: Record<string, unknown>): ThesesSearch => ({
  ...(/^\w{1,100}$/.test(String(search.view ?? '')) && { view: String(search.view) }),
  ...(search.status ? { status: String(search.status) } : {}),
  ...(search.filter ? { filter: search.filter as Filter } : {}),
  ...(search.sort ? { sort: String(search.sort) } : {}),
})
