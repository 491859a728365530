import type { CompaniesSearch } from './companies-search.ts'

/** A page of the list that was on screen. */
interface ShownPage {
  ids: readonly string[]
  search: CompaniesSearch
  page: number
  pages: number
  limit: number
}

let shown: ShownPage | null = null
let current: string | null = null
let isSearchWanted = false

/** Where this tab is in the list of companies, for coming back to it, and for going on from a company. */
export const listPosition = {
  page: (): ShownPage | null => shown,
  show: (page: ShownPage): void => {
    shown = page
  },
  /** The company that last had the focus in the list, or was opened from it. */
  current: (): string | null => current,
  moveTo: (id: string): void => {
    current = id
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
