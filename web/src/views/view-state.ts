import { type Filter, joinSort, type SortKey, splitSort } from '#src/client/limits.ts'
import { changedFields, isEqual, pick } from '#web/editing/record-changes.ts'
import { groupOf, negatedOf } from '#web/filters/tree.ts'
import { type Columns, inShownOrder, type ShownColumn, tidyColumns } from './column-state.ts'
import type { View } from './view-queries.ts'

/** The state of a list, in the form that views are saved in. */
export interface ViewState {
  filter: Filter | null
  search: string | null
  sort: SortKey[]
  /** Empty: the default columns. */
  columns: ShownColumn[]
  /** Only deals have a layout. */
  layout: Layout | null
}

/** The layout of deals. */
type Layout = 'board' | 'table'

type Part = keyof ViewState

/** The state of a list where a view leaves it open. */
export interface ViewDefaults {
  columns: Columns
  /** As the service takes it. */
  sort: string
}

export const EMPTY_STATE: ViewState = { filter: null, search: null, sort: [], columns: [], layout: null }

/** The state that a view shows, without deleted fields. */
export const stateOfView = ({ entity, applied, search, layout }: View): ViewState => ({
  filter: applied.filter,
  search,
  sort: applied.sort,
  // Theses have no columns to choose.
  columns: entity === 'thesis' ? [] : tidyColumns(applied.columns),
  layout: entity !== 'deal' ? null : layout === 'board' ? 'board' : 'table',
})

/** The state that a view was saved with, including fields that have been deleted since. */
export const savedStateOfView = (view: View): ViewState => {
  const { filter, sort, columns } = view
  return stateOfView({ ...view, applied: { filter, sort, columns } })
}

/** @returns the parts in which two states differ */
export function differences(a: ViewState, b: ViewState, defaults: ViewDefaults): Part[] {
  const comparable = ({ filter, search, sort, columns, layout }: ViewState): Record<Part, unknown> => ({
    filter: simplified(filter),
    search: search?.trim() || null,
    sort: joinSort(sort) || defaults.sort,
    columns: tidyColumns(inShownOrder(columns.length > 0 ? columns : defaults.columns)),
    // Versions from before there were layouts have none.
    layout: layout ?? null,
  })
  return changedFields(comparable(a), comparable(b))
}

/** A state with some of its parts from another one. */
export const withParts = (state: ViewState, other: ViewState, parts: readonly Part[]): ViewState => ({
  ...state,
  ...pick(other, parts),
})

/** The content to save when a view changes to a state: only the differences, so that the rest stays as it was saved. */
export const changedContent = (state: ViewState, parts: readonly Part[]): Partial<ViewContent> => {
  const content = contentOf(state)
  return pick(
    content,
    parts.filter((part) => part in content),
  )
}

/** A state in which the service saves a view. */
type ViewContent = Omit<ViewState, 'layout'> & { layout?: Layout }

/** The content of a new view. */
export const contentOf = ({ layout, ...state }: ViewState): ViewContent => ({
  ...state,
  ...(layout && { layout }),
})

/** The newest first: what companies and theses are sorted by unless the address says otherwise. */
export const DEFAULT_SORT = '-created_at'

/** A sort as addresses contain it; undefined for the default. */
export function sortText(sort: readonly SortKey[]): string | undefined {
  const text = joinSort(sort)
  return text === '' || text === DEFAULT_SORT ? undefined : text
}

/** @param text as in the address, such as `-llm_score_overall:nulls_first,name` */
export const parseSort = (text: string | undefined): SortKey[] =>
  splitSort(text ?? '').filter(({ field }) => field !== '')

/** Whether two filters have the same form, apart from groups of one and the order of keys. */
export const isSameFilter = (a: unknown, b: unknown): boolean => isEqual(simplified(a), simplified(b))

/**
 * A group of one condition is that condition, so that a filter built in another way compares as equal. A filter from an
 * address may be malformed.
 */
function simplified(filter: unknown): unknown {
  for (const kind of ['and', 'or'] as const) {
    const parts = groupOf(filter, kind)
    if (parts) return parts.length === 1 ? simplified(parts[0]) : { [kind]: parts.map(simplified) }
  }
  const negated = negatedOf(filter)
  return negated === undefined ? filter : { not: simplified(negated) }
}
