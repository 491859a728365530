import { useLocalStorage } from '@mantine/hooks'
import { useCallback, useMemo } from 'react'
import { type Columns, inShownOrder, tidyColumns } from '#web/views/column-state.ts'
import { type Column, type ColumnInTable, SELECT_WIDTH } from './column.ts'
import { type ColumnActions, useColumnActions } from './use-column-actions.ts'

/**
 * The columns that the user last chose outside of a view, stored in this browser.
 * @param key in local storage
 */
export function useOwnColumns(key: string, defaults: Columns): [Columns, (columns: Columns) => void] {
  const [columns, setColumns] = useLocalStorage<Columns>({
    key,
    defaultValue: defaults,
    getInitialValueInEffect: false,
    deserialize: (stored) => columnsIn(stored) ?? defaults,
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

interface ColumnsOptions<Known extends Column> {
  /** The field of the first column. */
  first: string
  /** Every column, by field. */
  known: ReadonlyMap<string, Known>
  /** The columns to show. */
  shown: Columns
  defaults: Columns
  /** Shows other columns. They are never empty: without others, the first one is named. */
  show: (columns: Columns) => void
}

export interface ChosenColumns {
  first: string
  shown: Columns
  known: ReadonlyMap<string, Column>
  actions: ColumnActions
}

/** The columns of a list, and the ways to change them. */
export function useColumns<Known extends Column>({
  first,
  known,
  shown,
  defaults,
  show,
}: ColumnsOptions<Known>): ChosenColumns & { columns: (Known & ColumnInTable)[] } {
  const setColumns = useCallback(
    (columns: Columns) => {
      const next = tidyColumns(columns).filter(({ field, width }) => field !== first || width !== undefined)
      // Without columns, only the first one is left, which an empty list cannot say.
      show(next.length > 0 ? next : [{ field: first }])
    },
    [first, show],
  )
  const columns = useMemo(() => tableColumns(first, shown, known), [first, shown, known])
  const actions = useColumnActions({ first, shown, known, setColumns, defaults })
  return { first, shown, known, columns, actions }
}

/** The columns to show. Fields that are not known, deleted ones for example, are left out. */
function tableColumns<Known extends Column>(
  first: string,
  shown: Columns,
  known: ReadonlyMap<string, Known>,
): (Known & ColumnInTable)[] {
  const pinnedFirst = { field: first, ...shown.find(({ field }) => field === first), pinned: true }
  const others = inShownOrder(shown).filter(({ field }) => field !== first)
  let start = SELECT_WIDTH
  return [pinnedFirst, ...others].flatMap(({ field, width: chosen, pinned = false }) => {
    const column = known.get(field)
    if (!column) return []
    const width = chosen ?? column.width
    const { maxWidth, ...rest } = column
    const canGrow = chosen === undefined && !pinned && maxWidth !== undefined
    const shownColumn = {
      ...rest,
      width,
      isFirst: field === first,
      ...(canGrow && { maxWidth }),
      ...(pinned && { start }),
    } as Known & ColumnInTable
    if (pinned) start += width
    return [shownColumn]
  })
}
