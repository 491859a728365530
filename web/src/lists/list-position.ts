import type { ListSearch } from './list-search.ts'

declare module '@tanstack/react-router' {
  interface HistoryState {
    /** The address of the list that a record was opened from. */
    list?: string
  }
}

/** The addresses of the lists of all records. */
export const COMPANIES = '/companies'
export const PEOPLE = '/people'

/** Which page of the list of all records is shown, of how many. */
export interface Paging {
  search: ListSearch
  page: number
  pages: number
  limit: number
}

/** The records of the list that was on screen. */
interface ShownPage {
  /** Its address. */
  list: string
  ids: readonly string[]
  /** Only the list of all records has further pages. */
  paging?: Paging
}

let shown: ShownPage | null = null
const current = new Map<string, string>()
let isSearchWanted = false

/** The position of this tab in a list of records, for returning to the list, and for moving on from a record. */
export const listPosition = {
  page: (): ShownPage | null => shown,
  show: (page: ShownPage): void => {
    shown = page
  },
  /** The record that last had the focus in the list, or was opened from it. */
  current: (list = COMPANIES): string | null => current.get(list) ?? null,
  moveTo: (id: string, list = COMPANIES): void => {
    current.set(list, id)
  },
  /** Gives the focus to the search instead of the list on the next visit. */
  wantSearch: (): void => {
    isSearchWanted = true
  },
  takeSearch: (): boolean => {
    const wasWanted = isSearchWanted
    isSearchWanted = false
    return wasWanted
  },
}

/** The state of a link to a company in a list of a thesis, with which the keys of its page follow that list. */
export const openedFrom = (list: string, ids: readonly string[], id: string) => ({
  state: { list },
  onClick: () => {
    listPosition.show({ list, ids })
    listPosition.moveTo(id, list)
  },
})
