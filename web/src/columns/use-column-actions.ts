import { useMemo, useState } from 'react'
import { strings } from '#strings/columns.ts'
import { isFocusFree } from '#web/browser/focus.ts'
import {
  boundedWidth,
  type Columns,
  canShift,
  inShownOrder,
  moveColumn,
  pinColumn,
  resizeColumn,
  shiftColumn,
  toggleColumn,
} from '#web/views/column-state.ts'
import type { Column } from './column.ts'

export interface ColumnActions {
  move: (field: string, target: string, side: 'before' | 'after') => void
  shift: (field: string, by: -1 | 1) => void
  canShift: (field: string, by: -1 | 1) => boolean
  pin: (field: string, isPinned: boolean) => void
  /** @param width undefined: the default */
  resize: (field: string, width: number | undefined) => void
  show: (field: string, isShown: boolean) => void
  hide: (field: string) => void
  reset: () => void
  /** The result of the last action, for screen readers. */
  announcement: string
}

interface ColumnState {
  /** The first column stays first. */
  first: string
  shown: Columns
  known: ReadonlyMap<string, Column>
  change: (update: (columns: Columns) => Columns) => void
  defaults: Columns
}

/** The actions that change the columns of the list. */
export function useColumnActions({ first, shown, known, change, defaults }: ColumnState): ColumnActions {
  const [announcement, announce] = useState('')
  const actions = useMemo(() => {
    const others = shown.filter(({ field }) => field !== first)
    const label = (field: string) => known.get(field)?.label ?? field
    /** The first column keeps its width. */
    const changeOthers = (update: (columns: Columns) => Columns) =>
      change((columns) => [
        ...columns.filter(({ field }) => field === first),
        ...update(columns.filter(({ field }) => field !== first)),
      ])
    const order = (field: string, update: (columns: Columns) => Columns) => {
      changeOthers(update)
      const at = inShownOrder(update(others)).findIndex((column) => column.field === field)
      announce(strings.columnMoved(label(field), at + 1, others.length))
    }
    const toggle = (field: string, isShown: boolean) => {
      changeOthers((columns) => toggleColumn(columns, field, isShown))
      announce((isShown ? strings.columnShown : strings.columnHidden)(label(field)))
    }
    return {
      move: (field: string, target: string, side: 'before' | 'after') =>
        order(field, (columns) =>
          target === first ? toFront(columns, field) : moveColumn(columns, field, target, side),
        ),
      shift: (field: string, by: -1 | 1) => order(field, (columns) => shiftColumn(columns, field, by)),
      canShift: (field: string, by: -1 | 1) => canShift(others, field, by),
      pin: (field: string, isPinned: boolean) => {
        changeOthers((columns) => pinColumn(columns, field, isPinned))
        announce((isPinned ? strings.columnPinned : strings.columnUnpinned)(label(field)))
      },
      resize: (field: string, width: number | undefined) => {
        change((columns) => {
          const hasFirst = columns.some((column) => column.field === first)
          return resizeColumn(hasFirst ? columns : [{ field: first }, ...columns], field, width)
        })
        if (width !== undefined) announce(strings.columnWidth(label(field), boundedWidth(width)))
      },
      show: toggle,
      hide: (field: string) => {
        focusNeighbor(field)
        toggle(field, false)
      },
      reset: () => {
        change(() => defaults)
        announce(strings.columnsReset)
      },
    }
  }, [first, shown, known, change, defaults])
  return { ...actions, announcement }
}

/** The columns after one was dropped on the first column: it becomes the first pinned one. */
function toFront(columns: Columns, field: string): Columns {
  const pinned = pinColumn(columns, field, true)
  const first = inShownOrder(pinned)[0]
  return first ? moveColumn(pinned, field, first.field, 'before') : pinned
}

/** Keeps the focus in the table when the column whose header has it is hidden. */
function focusNeighbor(field: string): void {
  const headers = [...document.querySelectorAll<HTMLElement>('th[data-field]')]
  const at = headers.findIndex((header) => header.dataset.field === field)
  const neighbor = headers[at + 1] ?? headers[at - 1]
  // After the menu, which returns the focus to the header, has closed.
  setTimeout(() => isFocusFree() && neighbor?.querySelector<HTMLElement>('button')?.focus(), 200)
}
