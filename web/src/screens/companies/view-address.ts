import { DEFAULT_SORT, sortText, type ViewState } from '#web/views/view-state.ts'
import type { CompaniesSearch } from './companies-search.ts'

/** The address of a view's state. It says at least the order, so that it differs from a view that is to be opened. */
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

/** Whether an address says nothing but the view, or nothing at all. */
export const isBare = (search: CompaniesSearch): boolean =>
  Object.entries(search).every(([key, value]) => value === undefined || key === 'view' || key === 'page')
