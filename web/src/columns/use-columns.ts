import { useQuery } from '@tanstack/react-query'
import { useCallback, useMemo } from 'react'
import { fieldQueries } from '#web/api/field-queries.ts'
import { type Columns, inShownOrder, type ShownColumn, tidyColumns } from '#web/views/column-state.ts'
import { isInView } from '#web/views/view-screens.ts'
import type { Column, TableColumn } from './column.ts'
import { type BuiltInColumn, type CustomCell, columnsByField } from './columns-by-field.ts'
import { type ColumnActions, useColumnActions } from './use-column-actions.ts'

/** The part of an address that says which columns to show. */
interface ColumnsSearch {
  view?: string
  columns?: Columns
}

export type ChangeColumnsSearch = (change: (before: ColumnsSearch) => { columns: ShownColumn[] }) => void

interface ColumnsOptions<Cell> {
  entity: 'company' | 'deal' | 'person'
  /** The field of the first column. */
  first: string
  builtIn: Readonly<Record<string, BuiltInColumn<Cell>>>
  defaults: Columns
  search: ColumnsSearch
  /** The columns that the user chose outside of views, and a function that changes them. Empty means the defaults. */
  own: Columns
  setOwn: (columns: Columns) => void
  /** Changes the address, which may have changed since it was rendered. */
  changeSearch: ChangeColumnsSearch
}

export interface ChosenColumns {
  first: string
  shown: Columns
  known: ReadonlyMap<string, Column>
  actions: ColumnActions
}

/** The columns of a list, and the ways to change them: in the address, and outside of views also those of the user. */
export function useColumns<Cell>(
  options: ColumnsOptions<Cell>,
): ChosenColumns & { columns: TableColumn<Cell | CustomCell>[] } {
  const { entity, first, builtIn, defaults, search, own, setOwn, changeSearch } = options
  const { data: fields } = useQuery(fieldQueries.fields(entity))
  const known = useMemo(() => columnsByField(builtIn, fields), [builtIn, fields])
  const inView = isInView(search)
  const shown = search.columns ?? (inView || own.length === 0 ? defaults : own)
  const change = useCallback(
    (update: (columns: Columns) => Columns) => {
      let chosen: Columns | undefined
      changeSearch((before) => {
        const updated = tidyColumns(update(before.columns ?? shown))
        const others = updated.filter(({ field, width }) => field !== first || width !== undefined)
        // Without other columns, the list names the first one, because an empty list means the defaults.
        const columns = others.length > 0 ? others : [{ field: first }]
        chosen = columns
        return { columns }
      })
      if (!inView && chosen) setOwn(chosen)
    },
    [changeSearch, shown, first, inView, setOwn],
  )
  const columns = useMemo(() => tableColumns(first, shown, known), [first, shown, known])
  const actions = useColumnActions({ first, shown, known, change, defaults })
  return { first, shown, known, columns, actions }
}

/** The columns to show, without fields that are unknown, such as deleted ones. */
function tableColumns<Cell>(
  first: string,
  shown: Columns,
  known: ReadonlyMap<string, Column<Cell>>,
): TableColumn<Cell>[] {
  const pinnedFirst = { field: first, ...shown.find(({ field }) => field === first), pinned: true }
  const others = inShownOrder(shown).filter(({ field }) => field !== first)
  let start = 0
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
