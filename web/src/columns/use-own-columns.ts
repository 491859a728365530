import { useLocalStorage } from '@mantine/hooks'
import { useCallback } from 'react'
import { type Columns, isSameColumns, tidyColumns } from '#web/views/column-state.ts'

const NONE: Columns = []

/**
 * The columns that the user last chose outside of a view, stored in this browser. Empty means the defaults, as in views.
 * @param key in local storage
 */
export function useOwnColumns(key: string, defaults: Columns): [Columns, (columns: Columns) => void] {
  const [stored, store, remove] = useLocalStorage<Columns | undefined>({
    key,
    getInitialValueInEffect: false,
    deserialize: (text) => columnsIn(text, defaults),
  })
  const setColumns = useCallback(
    (columns: Columns) => (columns.length > 0 ? store(columns) : remove()),
    [store, remove],
  )
  return [stored ?? NONE, setColumns]
}

/** Earlier versions have stored the defaults, too. */
function columnsIn(stored: string | undefined, defaults: Columns): Columns | undefined {
  try {
    const value: unknown = JSON.parse(stored ?? '')
    if (Array.isArray(value) && value.every((column) => typeof column?.field === 'string'))
      return isSameColumns(tidyColumns(value), defaults) ? undefined : tidyColumns(value)
  } catch {
    // Someone else's or an older value.
  }
  return undefined
}
