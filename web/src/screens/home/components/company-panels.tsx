import { SimpleGrid, Skeleton } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { strings } from '#strings/home.ts'
import { queries } from '#web/api/queries.ts'
import { formatCountry } from '#web/format/format.ts'
import { ScreenLink } from '#web/ui/link.tsx'
import { ErrorState } from '#web/ui/states.tsx'
import { CompanyLinks } from './company-links.tsx'
import { Panel } from './panel.tsx'
import { ScoreHistogram } from './score-histogram.tsx'

export function ScorePanel() {
  const facets = useQuery(queries.companyFacets({}))
  return (
    <Panel
      title={strings.scores}
      link={
        <ScreenLink to="/companies" search={{ sort: '-llm_score_overall' }} size="sm">
          {strings.topCompanies}
        </ScreenLink>
      }
    >
      {facets.isPending && <Skeleton height={208} />}
      {facets.isError && !facets.data && <ErrorState error={facets.error} retry={() => facets.refetch()} />}
      {facets.data && <ScoreHistogram {...facets.data.llm_score} />}
    </Panel>
  )
}

export function CompanyPanels() {
  const facets = useQuery(queries.companyFacets({}))
  // The score panel uses the same query and already shows its error.
  if (facets.isError && !facets.data) return null
  const { total = 0, country_code = [], industry_category = [] } = facets.data ?? {}
  const countries = country_code.map(({ value, name, count }) => ({
    key: value ?? '',
    label: value === null ? strings.noCountry : (name ?? formatCountry(value)),
    count,
    ...(value !== null && { search: { country_code: value } }),
  }))
  const industries = industry_category.map(({ value, count }) => ({
    key: value ?? '',
    label: value ?? strings.notSet,
    count,
    ...(value !== null && { search: { industry_category: value } }),
  }))
  const panels = [
    { title: strings.byCountry, values: countries },
    { title: strings.byIndustry, values: industries },
  ]
  return (
    <SimpleGrid cols={{ base: 1, sm: 2 }}>
      {panels.map(({ title, values }) => (
        <Panel key={title} title={title}>
          {facets.isPending && <Skeleton height={96} />}
          {facets.data && <CompanyLinks values={values} total={total} />}
        </Panel>
      ))}
    </SimpleGrid>
  )
}
