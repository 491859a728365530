import { useSyncExternalStore } from 'react'
import { MAX_BULK_ACTION_COMPANIES, MAX_CHANGED_COMPANIES } from '#src/client/limits.ts'

/** The limit of bulk actions and bulk changes. */
export const MAX_SELECTED = Math.min(MAX_BULK_ACTION_COMPANIES, MAX_CHANGED_COMPANIES)

/** Selects or deselects a company; with `isRange`, also every company since the last one clicked. */
export type SetSelected = (id: string, isSelected: boolean, isRange: boolean) => void

/**
 * The selected companies on all pages. Kept outside React state so that only the affected rows render, and so that
 * the selection survives a visit to a company.
 */
let ids: ReadonlySet<string> = new Set()
const listeners = new Set<() => void>()

function update(next: ReadonlySet<string>): void {
  ids = next
  for (const listener of listeners) listener()
}

export const selection = {
  ids: (): ReadonlySet<string> => ids,
  subscribe: (listener: () => void): (() => void) => {
    listeners.add(listener)
    return () => listeners.delete(listener)
  },
  set: (changed: readonly string[], isSelected: boolean): void => {
    const next = new Set(ids)
    for (const id of changed)
      if (isSelected) next.add(id)
      else next.delete(id)
    update(next)
  },
  /** Adds to the selection, up to the limit. */
  fill: (chosen: readonly string[]): void => {
    const added = chosen.filter((id) => !ids.has(id)).slice(0, Math.max(0, MAX_SELECTED - ids.size))
    update(new Set([...ids, ...added]))
  },
  clear: (): void => update(new Set()),
}

export const useIsSelected = (id: string): boolean =>
  useSyncExternalStore(selection.subscribe, () => ids.has(id))

export const useSelectedCount = (): number => useSyncExternalStore(selection.subscribe, () => ids.size)

/** How many of these companies are selected. */
export const useSelectionState = (of: readonly { id: string }[]): 'none' | 'some' | 'all' =>
  useSyncExternalStore(selection.subscribe, () => {
    const count = ids.size === 0 ? 0 : of.reduce((sum, { id }) => sum + (ids.has(id) ? 1 : 0), 0)
    return count === 0 ? 'none' : count === of.length ? 'all' : 'some'
  })
