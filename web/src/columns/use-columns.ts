import { useCallback, useMemo } from 'react'
import { type Columns, inShownOrder, tidyColumns } from '#web/views/column-state.ts'
import { type Column, SELECT_WIDTH, type TableColumn } from './column.ts'
import { type ColumnActions, useColumnActions } from './use-column-actions.ts'

interface ColumnsOptions<Cell> {
  /** The field of the first column. */
  first: string
  /** Every column, by field. */
  known: ReadonlyMap<string, Column<Cell>>
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
export function useColumns<Cell>({
  first,
  known,
  shown,
  defaults,
  show,
}: ColumnsOptions<Cell>): ChosenColumns & { columns: TableColumn<Cell>[] } {
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
function tableColumns<Cell>(
  first: string,
  shown: Columns,
  known: ReadonlyMap<string, Column<Cell>>,
): TableColumn<Cell>[] {
  const pinnedFirst = { field: first, ...shown.find(({ field }) => field === first), pinned: true }
  const others = inShownOrder(shown).filter(({ field }) => field !== first)
  let start = SELECT_WIDTH
  return [pinnedFirst, ...others].flatMap(({ field, width: chosen, pinned = false }) => {
    const column = known.get(field)
    if (!column) return []
    const width = chosen ?? column.width
    const { maxWidth, ...rest } = column
    const canGrow = chosen === undefined && !pinned && maxWidth !== undefined
    const shownColumn: TableColumn<Cell> = {
      ...rest,
      width,
      isFirst: field === first,
      ...(canGrow && { maxWidth }),
      ...(pinned && { start }),
    }
    if (pinned) start += width
    return [shownColumn]
  })
}
