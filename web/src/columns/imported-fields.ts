import { useMemo } from 'react'
import { usePreferences } from '#web/ui/use-preferences.ts'
import type { Columns } from '#web/views/column-state.ts'
import { useOwnColumns } from './use-own-columns.ts'

/** The preference that holds the fields of companies that the user has imported. */
const IMPORTED = 'companies_imported'

/** Fields that need no column: the list shows them elsewhere, or no one reads them. */
const WITHOUT_COLUMN = ['name', 'id', 'activity_description']

const NO_COLUMNS: Columns = []

/** The fields of companies that the user has imported. */
export function useImportedFields(): readonly string[] {
  const stored = usePreferences().preferences?.[IMPORTED]
  return useMemo(
    () => (Array.isArray(stored) ? stored.filter((name) => typeof name === 'string') : []),
    [stored],
  )
}

/** Returns a function that shows imported fields in the user's list of companies. */
export function useShowImported(): (fields: readonly string[]) => void {
  const { change } = usePreferences()
  const imported = useImportedFields()
  const [own, setOwn] = useOwnColumns('company', NO_COLUMNS)
  return (fields) => {
    // A country is imported as text, and shown as the country that it means.
    const shown = fields
      .map((field) => (field === 'country' ? 'country_code' : field))
      .filter((field) => !WITHOUT_COLUMN.includes(field))
    const added = shown.filter((field) => !imported.includes(field))
    if (added.length > 0) change({ [IMPORTED]: [...imported, ...added] })
    const missing = shown.filter((name) => !own.some(({ field }) => field === name))
    if (own.length > 0 && missing.length > 0) setOwn([...own, ...missing.map((field) => ({ field }))])
  }
}
