import { MAX_COLUMN_WIDTH, MAX_VIEW_COLUMNS } from '#src/client/limits.ts'
import type { ShownColumn } from './column-state.ts'

/** The columns that an address names, each once. Malformed ones are left out. */
export function columnsInAddress(columns: unknown): ShownColumn[] {
  if (!Array.isArray(columns)) return []
  const known = new Map<string, ShownColumn>()
  for (const column of columns.slice(0, MAX_VIEW_COLUMNS)) {
    const { field, width, pinned } = (column ?? {}) as Partial<Record<keyof ShownColumn, unknown>>
    if (typeof field !== 'string' || field === '') continue
    const isWidth = Number.isInteger(width) && Number(width) > 0 && Number(width) <= MAX_COLUMN_WIDTH
    known.set(field, {
      field,
      ...(isWidth && { width: Number(width) }),
      ...(pinned === true && { pinned }),
    })
  }
  return [...known.values()]
}
