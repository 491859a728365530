import { MAX_COLUMN_WIDTH } from '#src/client/limits.ts'
import type { View } from './view-queries.ts'

export interface ShownColumn {
  field: string
  /** In pixels; absent: the default width. */
  width?: number
  pinned?: boolean
}
export type Columns = readonly ShownColumn[]

const MIN_COLUMN_WIDTH = 60
const MAX_RESIZED_WIDTH = Math.min(800, MAX_COLUMN_WIDTH)

/** One step of the keyboard. */
export const WIDTH_STEP = 20

/** Pinned columns come first, each group in its order. */
export const inShownOrder = (columns: Columns): ShownColumn[] => [
  ...columns.filter(({ pinned }) => pinned),
  ...columns.filter(({ pinned }) => !pinned),
]

/**
 * Moves a column next to another one. It becomes pinned if that one is, and unpinned if it is not.
 * @param side of the other column
 */
export function moveColumn(
  columns: Columns,
  field: string,
  target: string,
  side: 'before' | 'after',
): ShownColumn[] {
  const moved = columns.find((column) => column.field === field)
  const goal = columns.find((column) => column.field === target)
  if (!moved || !goal || moved === goal) return [...columns]
  const rest = inShownOrder(columns).filter((column) => column !== moved)
  const at = rest.indexOf(goal) + (side === 'after' ? 1 : 0)
  return rest.toSpliced(at, 0, withPin(moved, goal.pinned === true))
}

/** Moves a column one position to the left (-1) or right (1). */
export function shiftColumn(columns: Columns, field: string, by: -1 | 1): ShownColumn[] {
  const shown = inShownOrder(columns)
  const target = shown[shown.findIndex((column) => column.field === field) + by]
  return target ? moveColumn(shown, field, target.field, by < 0 ? 'before' : 'after') : shown
}

/** Whether a column has a neighbor on that side. */
export function canShift(columns: Columns, field: string, by: -1 | 1): boolean {
  const shown = inShownOrder(columns)
  const at = shown.findIndex((column) => column.field === field)
  return at >= 0 && shown[at + by] !== undefined
}

/** Pins a column after the pinned ones, or unpins it. */
export const pinColumn = (columns: Columns, field: string, isPinned: boolean): ShownColumn[] =>
  inShownOrder(columns.map((column) => (column.field === field ? withPin(column, isPinned) : column)))

/** @param width in pixels; undefined: the default width */
export const resizeColumn = (columns: Columns, field: string, width: number | undefined): ShownColumn[] =>
  columns.map((column) => {
    if (column.field !== field) return column
    const { width: _width, ...rest } = column
    return width === undefined ? rest : { ...rest, width: boundedWidth(width) }
  })

export const boundedWidth = (width: number): number =>
  Math.round(Math.min(MAX_RESIZED_WIDTH, Math.max(MIN_COLUMN_WIDTH, width)))

/** Adds a column at the end, or removes it. */
export const toggleColumn = (columns: Columns, field: string, isShown: boolean): ShownColumn[] =>
  isShown
    ? [...columns.filter((column) => column.field !== field), { field }]
    : columns.filter((column) => column.field !== field)

function withPin({ pinned: _pinned, ...column }: ShownColumn, isPinned: boolean): ShownColumn {
  return isPinned ? { ...column, pinned: true } : column
}

/** Drops settings that equal the defaults, so that equal columns are equal values. */
export const tidyColumns = (columns: Columns | View['columns']): ShownColumn[] =>
  columns.map(({ field, width, pinned }) => ({
    field,
    ...(width && { width }),
    ...(pinned && { pinned: true }),
  }))
