import { MAX_QUESTION_LENGTH, MAX_SORT_FIELDS } from '#src/client/limits.ts'
import { type Filter, filterText } from '#web/filters/tree.ts'
import { columnsInAddress } from '#web/views/address-columns.ts'
import type { ShownColumn } from '#web/views/column-state.ts'
import { ALL, isInView } from '#web/views/view-screens.ts'
import { DEFAULT_SORT, sortText, type ViewState } from '#web/views/view-state.ts'

/** The query of a list of records, as its address contains it. */
export interface ListSearch {
  q?: string
  /** As in the address, which may be wrong: the service checks it. */
  filter?: Filter
  /** Up to three fields as `joinSort` writes them. */
  sort?: string
  /** The id of a saved view. */
  view?: string
  /** Replaces the columns of the view. */
  columns?: ShownColumn[]
  /** Starts at 1. */
  page?: number
}

/** Changes the address of a list. Changing anything but the page returns to the first page. */
export type ChangeSearch<Search extends ListSearch = ListSearch> = (
  change: Partial<Search> | ((before: Search) => Partial<Search>),
  options?: { replace?: boolean },
) => void

const SORT_KEY = '-?[a-z][a-z0-9_.]*(?::nulls_(?:first|last))?'
const SORT = new RegExp(`^${SORT_KEY}(?:,${SORT_KEY}){0,${MAX_SORT_FIELDS - 1}}$`)

/** @param search an address; unknown and invalid values are dropped, except an invalid filter */
export function listSearch(search: Record<string, unknown>): ListSearch {
  const page = Number(search.page)
  const columns = columnsInAddress(search.columns)
  return {
    ...(search.q ? { q: String(search.q).slice(0, MAX_QUESTION_LENGTH) } : {}),
    ...(search.filter ? { filter: search.filter as Filter } : {}),
    ...(SORT.test(String(search.sort ?? '')) && { sort: String(search.sort) }),
    ...(/^\w{1,100}$/.test(String(search.view ?? '')) && { view: String(search.view) }),
    ...(columns.length > 0 && { columns }),
    ...(Number.isSafeInteger(page) && page > 1 && { page }),
  }
}

/** The filter in the form that lists and exports take. */
export const filterParameterOf = ({ filter }: ListSearch): { filter?: string } =>
  filter === undefined ? {} : { filter: filterText(filter) }

/** Whether an address is empty or only names the view. */
export const isBare = (search: ListSearch): boolean =>
  Object.entries(search).every(([key, value]) => value === undefined || key === 'view' || key === 'page')

/**
 * The address of a view's state. It always contains the order, which tells it apart from an address that only opens the
 * view.
 */
export function searchOf(id: string, { filter, search, sort, columns }: ViewState): ListSearch {
  const all: ListSearch = {
    view: id,
    ...(search && { q: search }),
    ...(filter && { filter }),
    ...(sortText(sort) && { sort: sortText(sort) as string }),
    ...(columns.length > 0 && { columns: [...columns] }),
  }
  return Object.keys(all).length > 1 ? all : { ...all, sort: DEFAULT_SORT }
}

/**
 * The address after a change.
 * @param tidy shortens it
 */
export function changedSearch<Search extends ListSearch>(
  before: Search,
  change: Partial<Search> | ((before: Search) => Partial<Search>),
  tidy = (search: Search): Search => search,
): Search {
  const changed = typeof change === 'function' ? change(before) : change
  const all = tidy({ ...before, page: undefined, ...changed })
  const defined = Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined)) as Search
  return isBare(before) ? defined : withExplicitView(defined)
}

/**
 * An address that is empty or only names a view opens the view as it is saved. An address that is empty because a
 * filter was removed must not.
 */
function withExplicitView<Search extends ListSearch>(search: Search): Search {
  if (!isBare(search)) return search
  return isInView(search) ? { ...search, sort: DEFAULT_SORT } : { ...search, view: ALL }
}
