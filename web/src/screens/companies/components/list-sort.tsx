import { strings } from '#strings/companies.ts'
import classes from '#web/lists/list.module.css'
import { SortSelect } from '#web/ui/sort-select.tsx'

const SORTS: { value: string; label: string }[] = [
  { value: '-created_at', label: strings.sortNewest },
  { value: '-updated_at', label: strings.sortUpdated },
  { value: 'name', label: strings.sortName },
  { value: '-llm_score_overall', label: strings.sortScore },
  { value: '-revenue_eur', label: strings.sortRevenue },
  { value: '-employee_count', label: strings.sortEmployees },
]

interface ListSortProps {
  sort: string | undefined
  sortBy: (sort: string | undefined) => void
}

/** Sorts the cards, which have no column headers. */
export const ListSort = (props: ListSortProps) => (
  <SortSelect sorts={SORTS} className={classes.sort} {...props} />
)
