import { NativeSelect } from '@mantine/core'
import { strings } from '#strings/companies.ts'
import classes from './companies.module.css'
import type { CompanySort } from './companies-search.ts'

const SORTS: { value: CompanySort; label: string }[] = [
  { value: '-created_at', label: strings.sortNewest },
  { value: '-updated_at', label: strings.sortUpdated },
  { value: 'name', label: strings.sortName },
  { value: '-llm_score_overall', label: strings.sortScore },
  { value: '-revenue_eur', label: strings.sortRevenue },
  { value: '-employee_count', label: strings.sortEmployees },
]

interface ListSortProps {
  sort: CompanySort | undefined
  sortBy: (sort: CompanySort | undefined) => void
}

/** Sorts the cards, which have no column headers. */
export function ListSort({ sort, sortBy }: ListSortProps) {
  const isKnown = sort === undefined || SORTS.some(({ value }) => value === sort)
  return (
    <NativeSelect
      aria-label={strings.sort}
      data={isKnown ? SORTS : [...SORTS, { value: sort, label: strings.sortOther }]}
      value={sort ?? '-created_at'}
      onChange={(event) => {
        const chosen = SORTS.find(({ value }) => value === event.currentTarget.value)?.value
        sortBy(chosen === '-created_at' ? undefined : chosen)
      }}
      className={classes.sort}
    />
  )
}
