import { SelectPage } from '#web/columns/select-page.tsx'
import { selection, useSelectionState } from '../../selection.ts'

interface SelectCompaniesProps {
  rows: readonly { id: string }[]
  isStale: boolean
}

/** The checkbox that selects every company on the page. */
export function SelectCompanies({ rows, isStale }: SelectCompaniesProps) {
  const share = useSelectionState(rows)
  const toggle = () =>
    selection.set(
      rows.map(({ id }) => id),
      share !== 'all',
    )
  return <SelectPage {...{ share, isStale, toggle }} />
}
