import type { ListSearch } from '#web/lists/list-search.ts'

let lastSearch: ListSearch = {}

/** The latest list in this tab, for links back to it. */
export const lastPeopleSearch = (): ListSearch => lastSearch
export const rememberPeopleSearch = (search: ListSearch): void => {
  lastSearch = search
}
