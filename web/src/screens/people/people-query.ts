import { onePage } from '#web/api/paging.ts'
import { queries } from '#web/api/queries.ts'
import { filterParameterOf, type ListSearch } from '#web/lists/list-search.ts'

/** The filter and the search words in the form that the list and the export take. */
export const peopleFiltersOf = (search: ListSearch) => {
  const words = search.q?.trim() ?? ''
  return { ...filterParameterOf(search), ...(words && { search: words }) }
}

/**
 * One page of the list in the address.
 * @param page starts at 1
 */
export const peoplePage = (search: ListSearch, page: number, limit: number) =>
  queries.people({
    ...peopleFiltersOf(search),
    ...(search.sort && { sort: search.sort }),
    ...onePage(page, limit),
  })
