import { IconBuildingOff } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { NotFound } from '#src/client/errors.ts'
import { strings } from '#strings/company.ts'
import { queries } from '#web/service/queries.ts'
import { ScreenLink } from '#web/ui/link.tsx'
import { Page } from '#web/ui/page.tsx'
import { EmptyState, ErrorState } from '#web/ui/states.tsx'
import { CompanyPage } from './company-page.tsx'
import { CompanySkeleton } from './company-skeleton.tsx'

const route = getRouteApi('/shell/companies/$id')

/** One company. */
export function CompanyScreen() {
  const { id } = route.useParams()
  const company = useQuery(queries.company(id))
  if (company.data) return <CompanyPage key={id} detail={company.data} />
  if (company.isPending) return <CompanySkeleton />
  return (
    <Page title={strings.companies}>
      {company.error instanceof NotFound ? (
        <EmptyState
          icon={<IconBuildingOff />}
          title={strings.notFoundTitle}
          action={<ScreenLink to="/companies">{strings.toCompanies}</ScreenLink>}
        >
          {strings.notFound}
        </EmptyState>
      ) : (
        <ErrorState error={company.error} retry={() => company.refetch()} />
      )}
    </Page>
  )
}
