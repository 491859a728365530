import { useSyncExternalStore } from 'react'
import {
  MAX_BULK_ACTION_COMPANIES,
  MAX_CHANGED_COMPANIES,
  MAX_FILTER_DEPTH,
  MAX_FILTER_LEAVES,
  MAX_FILTER_VALUES,
} from '#src/client/limits.ts'
import { CountChanged, type Target } from '#web/bulk-actions/target.ts'
import { allOf, depthOf, type Filter, idsFilter, leavesOf, partsOf } from '#web/filters/tree.ts'
import { type CompaniesSearch, keywordsOf } from './companies-search.ts'

/** The limit of bulk actions and bulk changes. */
export const MAX_SELECTED = Math.min(MAX_BULK_ACTION_COMPANIES, MAX_CHANGED_COMPANIES)

/** Everything that a list shows is selected, without the companies that were deselected since. */
interface Matching {
  search: CompaniesSearch
  total: number
  excluded: ReadonlySet<string>
}

/**
 * The selected companies on all pages. Kept outside React state so that only the affected rows render, and so that
 * the selection survives a visit to a company.
 */
let ids: ReadonlySet<string> = new Set()
/** Replaces the ids. */
let matching: Matching | null = null
const listeners = new Set<() => void>()

function update(nextIds: ReadonlySet<string>, nextMatching: Matching | null = null): void {
  ids = nextIds
  matching = nextMatching
  for (const listener of listeners) listener()
}

const NONE: ReadonlySet<string> = new Set()
/** The service requires a filter. */
const EVERY_COMPANY: Filter = { field: 'id', op: 'is_not_empty' }
const MAX_EXCLUSIONS = Math.ceil(MAX_SELECTED / MAX_FILTER_VALUES)

/** Identifies what a list shows, regardless of page and order. */
export const listKeyOf = ({ q, by, filter }: CompaniesSearch): string => JSON.stringify([q, by, filter])

/** Whether the filter leaves room for a condition that excludes companies. */
export const mayExclude = ({ filter }: CompaniesSearch): boolean =>
  leavesOf(filter).length + MAX_EXCLUSIONS <= MAX_FILTER_LEAVES && depthOf(filter) < MAX_FILTER_DEPTH

export const selection = {
  has: (id: string): boolean => (matching ? !matching.excluded.has(id) : ids.has(id)),
  count: (): number => (matching ? matching.total - matching.excluded.size : ids.size),
  /** Empty while everything that matches is selected. */
  ids: (): ReadonlySet<string> => ids,
  /** The selection as the service takes it. */
  target: (): Target => {
    if (!matching) return { ids: [...ids] }
    const { search, excluded } = matching
    const words = keywordsOf(search)
    const parts = [
      ...partsOf(search.filter),
      ...(excluded.size > 0 ? partsOf(idsFilter([...excluded], 'not_in')) : []),
    ]
    const filter = allOf(parts) ?? (words.search === undefined ? EVERY_COMPANY : undefined)
    return { ...(filter && { filter }), ...words, expect: selection.count() }
  },
  subscribe: (listener: () => void): (() => void) => {
    listeners.add(listener)
    return () => listeners.delete(listener)
  },
  set: (changed: readonly string[], isSelected: boolean): void => {
    if (matching) update(NONE, { ...matching, excluded: withIds(matching.excluded, changed, !isSelected) })
    else update(withIds(ids, changed, isSelected))
  },
  /** Adds to the selection, up to the limit. */
  fill: (chosen: readonly string[]): void => {
    const added = chosen.filter((id) => !ids.has(id)).slice(0, Math.max(0, MAX_SELECTED - ids.size))
    update(new Set([...ids, ...added]))
  },
  /** Selects everything that a list shows, instead of single companies. */
  matchAll: (search: CompaniesSearch, total: number): void => update(NONE, { search, total, excluded: NONE }),
  /** After a request for this target was rejected: adopts the number of companies that match now. */
  adopt: (sent: Target, error: unknown): void => {
    if (matching && error instanceof CountChanged && isSelected(sent))
      update(NONE, { ...matching, total: error.count + matching.excluded.size })
  },
  /** After these fields changed: clears a selection by a filter that may no longer match the same companies. */
  afterChange: (sent: Target, fields: readonly string[]): void => {
    const changed = [...fields, 'updated_at']
    if (
      matching &&
      isSelected(sent) &&
      leavesOf(matching.search.filter).some(({ field }) => changed.includes(field))
    )
      update(NONE)
  },
  /** After these companies were deleted: deselects them, and clears a selection by a filter if it is still the same. */
  afterDelete: (deleted: Target): void => {
    if ('ids' in deleted) selection.set(deleted.ids, false)
    else if (isSelected(deleted)) update(NONE)
  },
  /** Clears a selection of everything that another list shows. */
  keepFor: (search: CompaniesSearch): void => {
    if (matching && listKeyOf(matching.search) !== listKeyOf(search)) update(NONE)
  },
  clear: (): void => update(NONE),
}

/** Whether a target is still selected, whatever number matches now. */
function isSelected(sent: Target): boolean {
  const withoutCount = (target: Target) => JSON.stringify({ ...target, expect: undefined })
  return withoutCount(sent) === withoutCount(selection.target())
}

function withIds(
  before: ReadonlySet<string>,
  changed: readonly string[],
  isAdded: boolean,
): ReadonlySet<string> {
  const next = new Set(before)
  for (const id of changed)
    if (isAdded) next.add(id)
    else next.delete(id)
  return next
}

export const useIsSelected = (id: string): boolean =>
  useSyncExternalStore(selection.subscribe, () => selection.has(id))

/** The companies that are selected one by one; another set after each change. */
export const useSelectedIds = (): ReadonlySet<string> =>
  useSyncExternalStore(selection.subscribe, selection.ids)

export const useSelectedCount = (): number => useSyncExternalStore(selection.subscribe, selection.count)

/** Whether everything that the list shows is selected, perhaps without some companies. */
export const useIsMatchingSelected = (): boolean =>
  useSyncExternalStore(selection.subscribe, () => matching !== null)

/** How many of these companies are selected. */
export const useSelectionState = (of: readonly { id: string }[]): 'none' | 'some' | 'all' =>
  useSyncExternalStore(selection.subscribe, () => {
    const count =
      selection.count() === 0 ? 0 : of.reduce((sum, { id }) => sum + (selection.has(id) ? 1 : 0), 0)
    return count === 0 ? 'none' : count === of.length ? 'all' : 'some'
  })
