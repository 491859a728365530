import { IconBuildingOff } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Navigate } from '@tanstack/react-router'
import { NotFound } from '#src/client/errors.ts'
import { strings } from '#strings/company.ts'
import { isInTrash, TrashedRecord } from '#web/activity/trashed-record.tsx'
import { queries } from '#web/api/queries.ts'
import { ScreenLink } from '#web/ui/link.tsx'
import { Page } from '#web/ui/page.tsx'
import { EmptyState, ErrorState } from '#web/ui/states.tsx'
import { CompanyPage } from './components/company-page.tsx'
import { CompanySkeleton } from './components/company-skeleton.tsx'
import { useListMoves } from './hooks/use-list-moves.ts'

const route = getRouteApi('/shell/companies/$id')

/** One company. */
export function CompanyScreen() {
  const { id } = route.useParams()
  const leaveDeleted = useListMoves(id)
  const company = useQuery(queries.company(id))
  const isMissing = company.error instanceof NotFound
  const isTrashed = isInTrash(company.error)
  // A merged company redirects to the one that it is part of.
  if (company.data && company.data.company.id !== id)
    return <Navigate to="/companies/$id" params={{ id: company.data.company.id }} state replace />
  if (company.isPending) return <CompanySkeleton />
  if (company.data && !isMissing)
    return <CompanyPage key={id} detail={company.data} onDeleted={leaveDeleted} />
  return (
    <Page
      title={isMissing && !isTrashed ? strings.notFoundTitle : strings.companies}
      heading={strings.companies}
    >
      {isTrashed ? (
        <TrashedRecord id={id} />
      ) : isMissing ? (
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
