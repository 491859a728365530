import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { useOwnColumns } from '#web/columns/use-own-columns.ts'
import { fieldQueries } from '#web/service/field-queries.ts'
import { usePreferences } from '#web/ui/use-preferences.ts'
import type { Columns } from '#web/views/column-state.ts'
import { NAME } from './columns.tsx'

/** What fits a laptop without scrolling sideways. */
const FIELDS = [
  ...['llm_score_overall', 'status', 'country_code', 'industry_category'],
  ...['owner_email', 'revenue_eur'],
]

/** Fields that the list shows without a column of their own, or that nobody reads. */
const WITHOUT_COLUMN = [NAME, 'id', 'activity_description']

/** The preference that holds the fields that the user has imported. */
const IMPORTED = 'companies_imported'

/**
 * The columns to begin with: those above and those that the user has imported, without those that are empty for all
 * companies. Undefined while that is not known.
 */
export function useDefaultColumns(): Columns | undefined {
  const { data: fields, isError } = useQuery(fieldQueries.fields('company'))
  const imported = usePreferences().preferences?.[IMPORTED]
  return useMemo(() => {
    if (!fields && !isError) return undefined
    const empty = new Set(fields?.filter(({ has_values }) => has_values === false).map(({ name }) => name))
    return [...new Set([...FIELDS, ...fieldNames(imported)])]
      .filter((field) => !empty.has(field))
      .map((field) => ({ field }))
  }, [fields, isError, imported])
}

/** Returns a function that adds imported fields to the columns of the user. */
export function useShowImported(): (fields: readonly string[]) => void {
  const { preferences, change } = usePreferences()
  const [own, setOwn] = useOwnColumns('company', NO_COLUMNS)
  return (fields) => {
    // A country is imported as text, and shown as the country that it means.
    const shown = fields
      .map((field) => (field === 'country' ? 'country_code' : field))
      .filter((field) => !WITHOUT_COLUMN.includes(field))
    const known = fieldNames(preferences?.[IMPORTED])
    const added = shown.filter((field) => !known.includes(field) && !FIELDS.includes(field))
    if (added.length > 0) change({ [IMPORTED]: [...known, ...added] })
    const missing = shown.filter((name) => !own.some(({ field }) => field === name))
    if (own.length > 0 && missing.length > 0) setOwn([...own, ...missing.map((field) => ({ field }))])
  }
}

const NO_COLUMNS: Columns = []

const fieldNames = (stored: unknown): string[] =>
  Array.isArray(stored) ? stored.filter((name) => typeof name === 'string') : []
