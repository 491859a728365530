import { DEFAULT_SORT, sortText, type ViewState } from '#web/views/view-state.ts'
import type { CompaniesSearch } from './companies-search.ts'

/**
 * The address of a view's state. It always contains the order, which tells it apart from an address that only opens the
 * view.
 */
export function searchOf(id: string, { filter, search, sort, columns }: ViewState): CompaniesSearch {
  const all: CompaniesSearch = {
    view: id,
    ...(search && { q: search }),
    ...(filter && { filter }),
    ...(sortText(sort) && { sort: sortText(sort) as string }),
    ...(columns.length > 0 && { columns: [...columns] }),
  }
  return Object.keys(all).length > 1 ? all : { ...all, sort: DEFAULT_SORT }
}

/** Whether an address is empty or only names the view. */
export const isBare = (search: CompaniesSearch): boolean =>
  Object.entries(search).every(([key, value]) => value === undefined || key === 'view' || key === 'page')
