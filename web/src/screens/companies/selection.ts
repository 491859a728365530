import { useSyncExternalStore } from 'react'
import type { CompaniesSearch } from './companies-search.ts'

/** What a bulk action, and a change of many companies, takes at most. */
export const MOST_SELECTED = 10_000

/**
 * The companies that are selected, on whichever page they are. Outside of React's state so that a row that is selected
 * is the only one that is drawn again; for as long as the tab lives, so that looking at a company loses nothing.
 */
let ids: ReadonlySet<string> = new Set()
let whole: CompaniesSearch | null = null
const followers = new Set<() => void>()

function become(next: ReadonlySet<string>, of: CompaniesSearch | null = null): void {
  ids = next
  whole = of
  for (const told of followers) told()
}

export const selection = {
  ids: (): ReadonlySet<string> => ids,
  /** Of what the selected ones are all matches, when they were selected as that. */
  whole: (): CompaniesSearch | null => whole,
  subscribe: (told: () => void): (() => void) => {
    followers.add(told)
    return () => followers.delete(told)
  },
  put: (changed: readonly string[], isSelected: boolean): void => {
    const next = new Set(ids)
    for (const id of changed)
      if (isSelected) next.add(id)
      else next.delete(id)
    become(next)
  },
  become: (chosen: readonly string[], of: CompaniesSearch | null): void => become(new Set(chosen), of),
  clear: (): void => become(new Set()),
}

export const useIsSelected = (id: string): boolean =>
  useSyncExternalStore(selection.subscribe, () => ids.has(id))

export const useSelectedCount = (): number => useSyncExternalStore(selection.subscribe, () => ids.size)

/** How many of these are selected. */
export const useShareSelected = (of: readonly { id: string }[]): 'none' | 'some' | 'all' =>
  useSyncExternalStore(selection.subscribe, () => {
    const count = ids.size === 0 ? 0 : of.reduce((sum, { id }) => sum + (ids.has(id) ? 1 : 0), 0)
    return count === 0 ? 'none' : count === of.length ? 'all' : 'some'
  })
