import { useCallback, useRef } from 'react'
import type { SetSelected } from './select-record.tsx'

/**
 * Selects a record, or with Shift every record since the last one clicked.
 * @param set must stay the same function, so that no row renders
 */
export function useRangeSelection(
  rows: readonly { id: string }[],
  set: (ids: readonly string[], isSelected: boolean) => void,
): SetSelected {
  const shown = useRef(rows)
  shown.current = rows
  const last = useRef<string | null>(null)
  return useCallback(
    (id, isSelected, isRange) => {
      const ids = shown.current.map((row) => row.id)
      const from = isRange && last.current ? ids.indexOf(last.current) : -1
      const to = ids.indexOf(id)
      last.current = id
      set(from < 0 ? [id] : ids.slice(Math.min(from, to), Math.max(from, to) + 1), isSelected)
    },
    [set],
  )
}
