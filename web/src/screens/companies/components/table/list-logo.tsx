import { CompanyLogo } from '#web/ui/company-logo.tsx'
import type { ListedCompany } from '../../list-query.ts'

/** Small enough for the compact rows. */
const SIZE = 18

export const ListLogo = ({ company: { name, logo_url } }: { company: ListedCompany }) => (
  <CompanyLogo name={name} url={logo_url} size={SIZE} />
)
