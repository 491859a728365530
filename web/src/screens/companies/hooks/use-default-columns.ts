import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { fieldQueries } from '#web/api/field-queries.ts'
import { useImportedFields } from '#web/columns/imported-fields.ts'
import type { Columns } from '#web/views/column-state.ts'

/** The fields that fit a laptop without scrolling sideways. */
const FIELDS = [
  ...['llm_score_overall', 'status', 'country_code', 'industry_category'],
  ...['owner_email', 'revenue_eur'],
]

/**
 * The initial columns: those above and those that the user has imported, without those that are empty for all
 * companies, and whether they are known yet.
 */
export function useDefaultColumns(): { defaults: Columns; areKnown: boolean } {
  const { data: fields, isPending, failureCount } = useQuery(fieldQueries.fields('company'))
  const imported = useImportedFields()
  const defaults = useMemo(() => {
    const empty = new Set(fields?.filter(({ has_values }) => has_values === false).map(({ name }) => name))
    return [...new Set([...FIELDS, ...imported])]
      .filter((field) => !empty.has(field))
      .map((field) => ({ field }))
  }, [fields, imported])
  // The list does not wait for another attempt.
  return { defaults, areKnown: !isPending || failureCount > 0 }
}
