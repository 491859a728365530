import { CancelledError } from '@tanstack/react-query'
import { changesSaved, unsavedChanges } from '#web/api/live/change-queue.ts'
import { pageCount } from '#web/api/paging.ts'
import { queryClient } from '#web/api/query-client.ts'
import type { Page } from '#web/api/service.ts'
import { listPosition, type Paging } from '#web/lists/list-position.ts'
import { lastCompaniesSearch, rememberCompaniesSearch } from './companies-search.ts'
import { type ListedCompany, pageQuery } from './list-query.ts'

/** Whether the list with this address, which the company was opened from, is still known and contains the company. */
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
 * The company after or before another one in the order of the list. If necessary, turns to another page of the list.
 * @param isWanted called before the page changes, because loading it takes a while
 */
export async function neighborOf(
  id: string,
  step: 1 | -1,
  isWanted: () => boolean,
): Promise<string | undefined> {
  const shown = listPosition.page()
  const neighbor = neighborOnPage(id, step)
  if (neighbor || !shown?.paging || !shown.ids.includes(id)) return neighbor
  const next = await beyondPage(shown.ids, shown.paging, step)
  if (!next || !isWanted()) return undefined
  const { ids, page, pages } = next
  listPosition.show({ ...shown, ids, paging: { ...shown.paging, page, pages } })
  const { page: _previous, ...others } = lastCompaniesSearch()
  rememberCompaniesSearch({ ...others, ...(page > 1 && { page }) })
  return next.id
}

interface Beyond {
  id: string
  /** The page that it is on. */
  page: number
  pages: number
  ids: string[]
}

/**
 * The company after the last or before the first row of a page. If changed rows have left the list since and others
 * have moved up, it is on the same page.
 * @param previous the ids of the page as the user saw it
 */
export async function beyondPage(
  previous: readonly string[],
  paging: Paging,
  step: 1 | -1,
): Promise<Beyond | undefined> {
  const { page } = paging
  const { ids, pages } = await savedPage(paging, page)
  const seen = new Set(previous)
  const kept = ids.flatMap((id, position) => (seen.has(id) ? [position] : []))
  const edge = step > 0 ? (kept.at(-1) ?? -1) : (kept[0] ?? 0)
  const id = ids[edge + step]
  if (id !== undefined) return { id, page, pages, ids }
  const target = page + step
  if (target < 1 || target > pages) return undefined
  const next = await savedPage(paging, target)
  const end = step > 0 ? 0 : -1
  // New rows may have moved some that were seen to this page.
  const first = next.ids.filter((other) => !seen.has(other)).at(end) ?? next.ids.at(end)
  return first === undefined ? undefined : { id: first, page: target, pages: next.pages, ids: next.ids }
}

/** A page with all changes that this tab has made. It is loaded again if it was changed. */
async function savedPage({ search, limit }: Paging, page: number): Promise<Omit<Beyond, 'id' | 'page'>> {
  let loaded: Page<ListedCompany> | undefined
  // A change cancels requests, which then answer with what was loaded before, or fail.
  do {
    await changesSaved(queryClient)
    loaded = await queryClient.fetchQuery(pageQuery(search, page, limit)).catch(ignoreCancellation)
  } while (!loaded || queryClient.isMutating(unsavedChanges) > 0)
  return { ids: loaded.data.map(({ id }) => id), pages: Math.max(1, pageCount(loaded, limit)) }
}

function ignoreCancellation(error: unknown): undefined {
  if (!(error instanceof CancelledError)) throw error
}
