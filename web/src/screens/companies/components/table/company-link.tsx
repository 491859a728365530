import type { ReactNode } from 'react'
import { queries } from '#web/api/queries.ts'
import { queryClient } from '#web/api/query-client.ts'
import { COMPANIES } from '#web/lists/list-position.ts'
import { RecordLink } from '#web/lists/record-link.tsx'
import { CompanyLogo } from '#web/ui/company-logo.tsx'
import type { ListedCompany } from '../../list-query.ts'

interface CompanyLinkProps {
  company: ListedCompany
  /** Whether a company of the list has a logo. Otherwise monograms would only repeat the names. */
  hasLogos: boolean
  children: ReactNode
}

/** Small enough for the compact rows. */
const LOGO_SIZE = 18

const preload = (id: string) => {
  queryClient.prefetchQuery(queries.company(id))
}

/** The name of a company in a list, with its logo. */
export const CompanyLink = ({ company: { id, name, logo_url }, hasLogos, children }: CompanyLinkProps) => (
  <RecordLink
    list={COMPANIES}
    id={id}
    preload={preload}
    mark={hasLogos && <CompanyLogo name={name} url={logo_url} size={LOGO_SIZE} />}
  >
    {children}
  </RecordLink>
)
