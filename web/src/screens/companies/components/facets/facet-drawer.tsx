import { Drawer } from '@mantine/core'
import { strings } from '#strings/companies.ts'
import { useReturnFocus } from '#web/browser/focus.ts'
import type { CompaniesSearch } from '../../companies-search.ts'
import type { ChangeCompanies } from '../../hooks/use-company-list.ts'
import { FacetPanel } from './facet-panel.tsx'

interface FacetDrawerProps {
  search: CompaniesSearch
  change: ChangeCompanies
  close: () => void
}

/** The facets where there is no room for them beside the list. */
export default function FacetDrawer({ search, change, close }: FacetDrawerProps) {
  useReturnFocus()
  return (
    <Drawer opened onClose={close} title={strings.filters} size="xs">
      <FacetPanel search={search} change={change} />
    </Drawer>
  )
}
