import { useMemo, useState } from 'react'
import { strings } from '#strings/columns.ts'
import { isFocusFree } from '#web/browser/focus.ts'
import {
  boundedWidth,
  type Columns,
  canShift,
  inShownOrder,
  pinColumn,
  placeColumn,
  resizeColumn,
  shiftColumn,
  toggleColumn,
} from '#web/views/column-state.ts'
import type { Column } from './column.ts'

export interface ColumnActions {
  place: (field: string, target: string, side: 'before' | 'after') => void
  shift: (field: string, by: -1 | 1) => void
  canShift: (field: string, by: -1 | 1) => boolean
  pin: (field: string, isPinned: boolean) => void
  /** @param width undefined: the default */
  resize: (field: string, width: number | undefined) => void
  show: (field: string, isShown: boolean) => void
  hide: (field: string) => void
  reset: () => void
  /** What the last action did, for screen readers. */
  announcement: string
}

interface ColumnState {
  /** The first column stays first. */
  first: string
  shown: Columns
  known: ReadonlyMap<string, Column>
  setColumns: (columns: Columns) => void
  defaults: Columns
}

/** The ways to change the columns of the list. */
export function useColumnActions({ first, shown, known, setColumns, defaults }: ColumnState): ColumnActions {
  const [announcement, announce] = useState('')
  const actions = useMemo(() => {
    // It takes part for its width only.
    const others = shown.filter(({ field }) => field !== first)
    const firstColumn = shown.filter(({ field }) => field === first)
    const label = (field: string) => known.get(field)?.label ?? field
    const change = (next: Columns, text: string) => {
      setColumns([...firstColumn, ...next])
      announce(text)
    }
    const order = (next: Columns, field: string) => {
      const at = inShownOrder(next).findIndex((column) => column.field === field)
      change(next, strings.columnMoved(label(field), at + 1, next.length))
    }
    return {
      place: (field: string, target: string, side: 'before' | 'after') =>
        target === first
          ? order(toFront(others, field), field)
          : order(placeColumn(others, field, target, side), field),
      shift: (field: string, by: -1 | 1) => order(shiftColumn(others, field, by), field),
      canShift: (field: string, by: -1 | 1) => canShift(others, field, by),
      pin: (field: string, isPinned: boolean) =>
        change(
          pinColumn(others, field, isPinned),
          (isPinned ? strings.columnPinned : strings.columnUnpinned)(label(field)),
        ),
      resize: (field: string, width: number | undefined) => {
        const all = firstColumn.length > 0 ? shown : [{ field: first }, ...shown]
        setColumns(resizeColumn(all, field, width))
        if (width !== undefined) announce(strings.columnWidth(label(field), boundedWidth(width)))
      },
      show: (field: string, isShown: boolean) =>
        change(
          toggleColumn(others, field, isShown),
          (isShown ? strings.columnShown : strings.columnHidden)(label(field)),
        ),
      hide: (field: string) => {
        focusNeighbor(field)
        change(toggleColumn(others, field, false), strings.columnHidden(label(field)))
      },
      reset: () => {
        setColumns(defaults)
        announce(strings.columnsReset)
      },
    }
  }, [first, shown, known, setColumns, defaults])
  return { ...actions, announcement }
}

/** Dropped on the first column, a column becomes the first pinned one. */
function toFront(columns: Columns, field: string): Columns {
  const pinned = pinColumn(columns, field, true)
  const first = inShownOrder(pinned)[0]
  return first ? placeColumn(pinned, field, first.field, 'before') : pinned
}

/** The focus must not be lost with the header of a hidden column. */
function focusNeighbor(field: string): void {
  const header = document.querySelector(`th[data-field="${CSS.escape(field)}"]`)
  const neighbor = header?.nextElementSibling ?? header?.previousElementSibling
  // After the menu, which returns the focus to the header, has closed.
  setTimeout(() => isFocusFree() && neighbor?.querySelector<HTMLElement>('button')?.focus(), 200)
}
