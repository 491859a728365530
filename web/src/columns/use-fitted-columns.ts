import { type RefObject, useLayoutEffect, useMemo, useState } from 'react'
import type { TableColumn } from './column.ts'

/**
 * The columns with their widths in this window: where there is room, those that can grow share half of it, and the
 * first one takes the rest.
 * @param others the width of everything else in a row, in pixels
 */
export function useFittedColumns(
  columns: readonly TableColumn[],
  others: number,
  table: RefObject<HTMLElement | null>,
): readonly TableColumn[] {
  const room = useRoom(table)
  return useMemo(() => fitted(columns, room - others), [columns, room, others])
}

function fitted(columns: readonly TableColumn[], room: number): readonly TableColumn[] {
  const spare = room - columns.reduce((sum, { width }) => sum + width, 0)
  const growing = columns.filter(({ maxWidth }) => maxWidth !== undefined)
  if (spare <= 0 || growing.length === 0) return columns
  const share = Math.floor(spare / 2 / growing.length)
  return columns.map((column) => {
    const { width, maxWidth = width } = column
    return { ...column, width: Math.min(maxWidth, width + share) }
  })
}

/** The width that the table can have without scrolling, known before it is first painted. */
function useRoom(table: RefObject<HTMLElement | null>): number {
  const [room, setRoom] = useState(0)
  useLayoutEffect(() => {
    const region = table.current?.parentElement
    if (!region) return
    const read = () => setRoom(region.clientWidth)
    read()
    const observer = new ResizeObserver(read)
    observer.observe(region)
    return () => observer.disconnect()
  }, [table])
  return room
}
