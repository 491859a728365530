import { useLocalStorage } from '@mantine/hooks'
import { type Columns, tidyColumns } from '#web/views/column-state.ts'

/**
 * The columns that the user last chose outside of a view, stored in this browser.
 * @param key in local storage
 */
export function useOwnColumns(key: string, defaults: Columns): [Columns, (columns: Columns) => void] {
  const [columns, setColumns] = useLocalStorage<Columns>({
    key,
    defaultValue: defaults,
    getInitialValueInEffect: false,
    deserialize: (stored) => columnsIn(stored) ?? defaults,
  })
  return [columns, setColumns]
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
