import { queryClient } from '#web/service/query-client.ts'
import { lastCompaniesSearch, rememberCompaniesSearch } from './companies-search.ts'
import { listPosition } from './list-position.ts'
import { pageQuery } from './list-query.ts'

/** Whether the list with this address, which the company was opened from, is still known and contains it. */
export function isInList(id: string, list: string | undefined): boolean {
  const shown = listPosition.page()
  return shown !== null && shown.list === list && shown.ids.includes(id)
}

/** The company after or before another one on the same page of the list. */
export const neighborOnPage = (id: string, step: 1 | -1): string | undefined => {
  const ids = listPosition.page()?.ids ?? []
  return ids.includes(id) ? ids[ids.indexOf(id) + step] : undefined
}

/**
 * The company after or before another one in the order of the list. Turns the page of the list if necessary.
 * @param isWanted asked before the page turns: loading it takes a while
 */
export async function neighborOf(
  id: string,
  step: 1 | -1,
  isWanted: () => boolean,
): Promise<string | undefined> {
  const shown = listPosition.page()
  const neighbor = neighborOnPage(id, step)
  if (neighbor || !shown?.paging || !shown.ids.includes(id)) return neighbor
  const { search, pages, limit } = shown.paging
  const page = shown.paging.page + step
  if (page < 1 || page > pages) return undefined
  const { data } = await queryClient.fetchQuery(pageQuery(search, page, limit))
  if (!isWanted()) return undefined
  const ids = data.map((company) => company.id)
  listPosition.show({ ...shown, ids, paging: { ...shown.paging, page } })
  const { page: _former, ...others } = lastCompaniesSearch()
  rememberCompaniesSearch({ ...others, ...(page > 1 && { page }) })
  return step > 0 ? ids[0] : ids.at(-1)
}
