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
    deserialize: columnsIn,
  })
  const setColumns = useCallback(
    (columns: Columns) => (isSameColumns(columns, defaults) ? remove() : store(columns)),
    [store, remove, defaults],
  )
  // Earlier versions have stored the defaults, too.
  return [stored && !isSameColumns(stored, defaults) ? stored : NONE, setColumns]
}

function columnsIn(stored: string | undefined): Columns | undefined {
  try {
    const value: unknown = JSON.parse(stored ?? '')
    if (Array.isArray(value) && value.every((column) => typeof column?.field === 'string'))
      return tidyColumns(value)
  } catch {
    // Someone else's or an older value.
  }
  return undefined
}
