import { useQueries, useQuery } from '@tanstack/react-query'
import { fieldQueries } from '#web/api/field-queries.ts'
import { queries } from '#web/api/queries.ts'
import type { Field } from '#web/filters/use-fields.ts'
import type { CompaniesSearch } from '../companies-search.ts'
import { FACETS, facetFiltersOf, SCORE, separateFacets } from '../facet-query.ts'

interface Counted {
  value: string | null
  count: number
}
type Counts = Record<(typeof FACETS)[number], Counted[]> & { custom: Record<string, Counted[]> }

/** At most this many custom fields have a facet: each is counted on its own. */
const MAX_CUSTOM_FACETS = 10

/** The counts of all facets. */
export function useFacets(search: CompaniesSearch) {
  const fields = useQuery(fieldQueries.fields('company'))
  const custom = (fields.data ?? []).filter(isCustomFacet).slice(0, MAX_CUSTOM_FACETS)
  const keys = custom.map(({ key }) => key)
  const queryOf = (of: CompaniesSearch) => ({
    ...queries.companyFacets({ ...facetFiltersOf(of), ...(keys.length > 0 && { custom: keys.join(',') }) }),
    enabled: !fields.isPending,
  })
  const facets = useQuery(queryOf(search))
  const separate = separateFacets(search, [...FACETS, SCORE, ...custom.map(({ name }) => name)])
  const answers = useQueries({ queries: separate.map((facet) => queryOf(facet.search)) })
  const ownCounts = new Map(separate.map(({ field }, index) => [field, answers[index]?.data]))
  return {
    counts: facets.data,
    countsOf: (field: string): readonly Counted[] => {
      const counts = ownCounts.get(field) ?? facets.data
      return counts ? valuesOf(counts, field) : []
    },
    scores: (ownCounts.get(SCORE) ?? facets.data)?.llm_score,
    custom,
    error: facets.error,
    retry: () => facets.refetch(),
  }
}

const isCustomFacet = ({ id, type, archived }: Field): boolean =>
  id !== null && !archived && ['select', 'multi_select', 'boolean'].includes(type)

const valuesOf = (counts: Counts, field: string): readonly Counted[] =>
  field.startsWith('custom.')
    ? (counts.custom[field.slice('custom.'.length)] ?? [])
    : counts[field as (typeof FACETS)[number]]
