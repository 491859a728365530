import { Button, Group, Pill } from '@mantine/core'
import { strings } from '#strings/companies.ts'
import { type CompaniesSearch, FACETS, hasFilters } from './companies-search.ts'
import { FACET_TITLES, labelOf, useThesisCodes } from './filter-labels.ts'
import type { ChangeSearch } from './use-company-list.ts'

export const NO_FILTERS = {
  status: undefined,
  country_code: undefined,
  industry_category: undefined,
  thesis_id: undefined,
  min_score: undefined,
} satisfies Partial<Record<keyof CompaniesSearch, undefined>>

interface ActiveFiltersProps {
  search: CompaniesSearch
  change: ChangeSearch
}

/** The active filters, each with a button that removes it. */
export function ActiveFilters({ search, change }: ActiveFiltersProps) {
  const theses = useThesisCodes()
  if (!hasFilters(search)) return null
  const chosen = FACETS.flatMap((facet) => {
    const value = search[facet]
    return value === undefined
      ? []
      : [
          {
            key: facet as keyof CompaniesSearch,
            title: FACET_TITLES[facet],
            label: labelOf(facet, value, theses),
          },
        ]
  })
  if (search.min_score)
    chosen.push({ key: 'min_score', title: strings.score, label: strings.scoreFrom(search.min_score) })
  return (
    <Group gap={6} component="section" aria-label={strings.activeFilters}>
      {chosen.map(({ key, title, label }) => {
        const text = strings.pill(title, label)
        return (
          <Pill
            key={key}
            withRemoveButton
            maw="20rem"
            onRemove={() => change({ [key]: undefined })}
            removeButtonProps={{ 'aria-label': strings.remove(text), tabIndex: 0, 'aria-hidden': false }}
          >
            <bdi>{text}</bdi>
          </Pill>
        )
      })}
      <Button variant="subtle" size="compact-xs" onClick={() => change(NO_FILTERS)}>
        {strings.clearFilters}
      </Button>
    </Group>
  )
}
