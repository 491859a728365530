import { notifications } from '@mantine/notifications'
import {
  columnPinningFeature,
  columnResizingFeature,
  columnSizingFeature,
  type ReactTable,
  rowSortingFeature,
  tableFeatures,
  useTable,
} from '@tanstack/react-table'
import { useMemo } from 'react'
import { MAX_SORT_FIELDS, type SortKey } from '#src/client/limits.ts'
import { strings } from '#strings/columns.ts'
import { boundedWidth } from '#web/views/column-state.ts'
import { parseSort } from '#web/views/view-state.ts'
import type { TableColumn } from './column.ts'

const features = tableFeatures({
  columnPinningFeature,
  columnResizingFeature,
  columnSizingFeature,
  rowSortingFeature,
})

export type ColumnsTable = ReactTable<typeof features, never>
export type TableHeader = ReturnType<ColumnsTable['getHeaderGroups']>[number]['headers'][number]

/** The service sorts, filters, and pages, and rows render in chunks: the table holds columns only. */
const NO_ROWS: never[] = []

interface TableState {
  columns: readonly TableColumn[]
  sort: string | undefined
  /** Empty: the default order. */
  sortBy: (keys: SortKey[]) => void
  resize: (field: string, width: number) => void
  canSort: boolean
}

/** The columns with their order, widths, pinning, and sort. The address holds the state. */
export function useColumnsTable({ columns, sort, sortBy, resize, canSort }: TableState): ColumnsTable {
  const definitions = useMemo(
    () =>
      columns.map((column) => ({
        id: column.field,
        header: column.label,
        accessorFn: () => undefined,
        enableSorting: column.isSortable && canSort,
        sortDescFirst: column.isDescendingFirst,
      })),
    [columns, canSort],
  )
  const columnPinning = useMemo(
    () => ({ start: columns.filter(({ start }) => start !== undefined).map(({ field }) => field), end: [] }),
    [columns],
  )
  const columnSizing = useMemo(
    () => Object.fromEntries(columns.map(({ field, width }) => [field, width])),
    [columns],
  )
  const sortKeys = useMemo(() => parseSort(sort), [sort])
  const sorting = useMemo(
    () => sortKeys.map(({ field, direction }) => ({ id: field, desc: direction === 'desc' })),
    [sortKeys],
  )
  return useTable({
    features,
    data: NO_ROWS,
    columns: definitions,
    state: { columnPinning, columnSizing, sorting },
    manualSorting: true,
    // `onSortingChange` rejects more. The table would drop the first one instead.
    maxMultiSortColCount: Number.POSITIVE_INFINITY,
    isMultiSortEvent: (event: unknown) => (event as MouseEvent).shiftKey,
    columnResizeMode: 'onEnd',
    onSortingChange: (updater) => {
      const next = typeof updater === 'function' ? updater(sorting) : updater
      if (next.length > MAX_SORT_FIELDS) {
        notifications.show({ message: strings.sortLimit(MAX_SORT_FIELDS) })
        return
      }
      const keyOf = ({ id, desc }: (typeof next)[number]): SortKey => ({
        ...sortKeys.find(({ field }) => field === id),
        field: id,
        direction: desc ? 'desc' : 'asc',
      })
      sortBy(next.map(keyOf))
    },
    onColumnSizingChange: (updater) => {
      const next = typeof updater === 'function' ? updater(columnSizing) : updater
      for (const [field, width] of Object.entries(next))
        if (width !== columnSizing[field]) resize(field, boundedWidth(width))
    },
  })
}

/** The width of a column, also while it is being dragged. */
export function liveWidth(table: ColumnsTable, header: TableHeader): number {
  const { isResizingColumn, deltaOffset } = table.state.columnResizing
  const size = header.getSize()
  return isResizingColumn === header.column.id ? boundedWidth(size + (deltaOffset ?? 0)) : size
}
