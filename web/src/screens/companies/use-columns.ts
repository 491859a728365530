import { useLocalStorage } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { useCallback, useMemo } from 'react'
import { fieldQueries } from '#web/service/field-queries.ts'
import { type Columns, inShownOrder, tidyColumns } from '#web/views/column-state.ts'
import { type Column, columnsByField, DEFAULT_COLUMNS, NAME } from './columns.tsx'
import type { CompaniesSearch } from './companies-search.ts'
import { useColumnActions } from './use-column-actions.ts'
import type { ChangeSearch } from './use-company-list.ts'
import { isInView } from './view-address.ts'

export interface TableColumn extends Column {
  /** Of a pinned column: its distance from the edge of the table, in pixels. */
  start?: number
}

export const SELECT_WIDTH = 36

/** The columns that the user last chose outside of a view, stored in this browser. */
export function useOwnColumns(): [Columns, (columns: Columns) => void] {
  const [columns, setColumns] = useLocalStorage<Columns>({
    key: 'companies_columns_of_all',
    defaultValue: DEFAULT_COLUMNS,
    getInitialValueInEffect: false,
    deserialize: (stored) => columnsIn(stored) ?? DEFAULT_COLUMNS,
  })
  return [columns, setColumns]
}

function columnsIn(stored: string | undefined): Columns | undefined {
  try {
    const value: unknown = JSON.parse(stored ?? '')
    if (Array.isArray(value) && value.every((column) => typeof column?.field === 'string'))
      return tidyColumns(value)
  } catch {
    // Someone else's or an older value.
  }
  return undefined
}

/**
 * The columns of the list, and the ways to change them.
 * @param own the user's columns outside of views, which changes there become
 */
export function useColumns(
  search: CompaniesSearch,
  change: ChangeSearch,
  own: Columns,
  setOwn: (columns: Columns) => void,
) {
  const fields = useQuery(fieldQueries.fields('company'))
  const known = useMemo(() => columnsByField(fields.data), [fields.data])
  const inView = isInView(search)
  const shown = search.columns ?? (inView ? DEFAULT_COLUMNS : own)

  const { page } = search
  const setColumns = useCallback(
    (columns: Columns) => {
      const next = tidyColumns(columns).filter(({ field, width }) => field !== NAME || width !== undefined)
      if (!inView) setOwn(next)
      // Without columns, only the name is left, which an empty list cannot say.
      change({ columns: next.length > 0 ? next : [{ field: NAME }], page }, { replace: true })
    },
    [inView, setOwn, change, page],
  )
  const columns = useMemo(() => tableColumns(shown, known), [shown, known])
  const actions = useColumnActions({ shown, known, setColumns, defaults: DEFAULT_COLUMNS })
  return { shown, known, columns, actions }
}

/** The columns to show, the name first. Fields that are not known, deleted ones for example, are left out. */
function tableColumns(shown: Columns, known: ReadonlyMap<string, Column>): TableColumn[] {
  const name = { field: NAME, ...shown.find(({ field }) => field === NAME), pinned: true }
  const rest = inShownOrder(shown).filter(({ field }) => field !== NAME)
  let start = SELECT_WIDTH
  return [name, ...rest].flatMap(({ field, width: chosen, pinned = false }) => {
    const column = known.get(field)
    if (!column) return []
    const width = chosen ?? column.width
    const { maxWidth, ...rest } = column
    const canGrow = chosen === undefined && !pinned && maxWidth !== undefined
    const shownColumn = { ...rest, width, ...(canGrow && { maxWidth }), ...(pinned && { start }) }
    if (pinned) start += width
    return [shownColumn]
  })
}
