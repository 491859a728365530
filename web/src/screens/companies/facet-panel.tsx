import { Skeleton, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { strings } from '#strings/companies.ts'
import { queries } from '#web/service/queries.ts'
import { ErrorState } from '#web/ui/states.tsx'
import {
  type CompaniesSearch,
  FACETS,
  type Facet,
  isSemanticSearch,
  listFiltersOf,
} from './companies-search.ts'
import { FacetList, type FacetValue } from './facet-list.tsx'
import { FACET_TITLES, labelOf, useThesisCodes } from './filter-labels.ts'
import { ScoreFacet } from './score-facet.tsx'
import type { ChangeSearch } from './use-company-list.ts'

interface FacetPanelProps {
  search: CompaniesSearch
  change: ChangeSearch
}

/** The filters beside the list, with counts. */
export function FacetPanel({ search, change }: FacetPanelProps) {
  const facets = useQuery(queries.companyFacets(listFiltersOf(search)))
  const theses = useThesisCodes()
  const counts = facets.data
  if (!counts)
    return facets.isError ? (
      <ErrorState error={facets.error} retry={() => facets.refetch()} />
    ) : (
      <FacetSkeleton />
    )

  const valuesOf = (facet: Facet): FacetValue[] => {
    const counted = counts[facet].map(({ value, count }) => ({
      value,
      label: value === null ? strings.withoutValue : labelOf(facet, value, theses),
      count,
    }))
    const chosen = search[facet]
    if (chosen === undefined || counted.some(({ value }) => value === chosen)) return counted
    return [{ value: chosen, label: labelOf(facet, chosen, theses), count: undefined }, ...counted]
  }
  const [status, ...others] = FACETS
  const list = (facet: Facet) => (
    <FacetList
      key={facet}
      title={FACET_TITLES[facet]}
      values={valuesOf(facet)}
      chosen={search[facet]}
      choose={(value) => change({ [facet]: value })}
    />
  )
  return (
    <Stack gap="lg">
      {isSemanticSearch(search) && (
        <Text size="xs" c="dimmed">
          {strings.countsHelp}
        </Text>
      )}
      {list(status)}
      <ScoreFacet
        {...counts.llm_score}
        minScore={search.min_score ?? 0}
        choose={(score) => change({ min_score: score }, { replace: search.min_score !== undefined })}
      />
      {others.map(list)}
    </Stack>
  )
}

function FacetSkeleton() {
  return (
    <Stack gap="lg" aria-hidden>
      {[4, 3, 8, 8].map((lines, facet) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: all placeholders are alike
        <Stack key={facet} gap={8}>
          <Skeleton height={16} width="50%" />
          {Array.from({ length: lines }, (_, line) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: all placeholders are alike
            <Skeleton key={line} height={20} />
          ))}
        </Stack>
      ))}
    </Stack>
  )
}
