import { useQuery } from '@tanstack/react-query'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { NotFound } from '#src/client/errors.ts'
import { strings as keyboard } from '#strings/keyboard.ts'
import { strings } from '#strings/pipeline.ts'
import { isInTrash } from '#web/activity/trashed-record.tsx'
import { queries } from '#web/api/queries.ts'
import { useActions } from '#web/keyboard/actions.ts'
import { Page } from '#web/ui/page.tsx'
import { ErrorState, SkeletonLines } from '#web/ui/states.tsx'
import { DealPage } from './components/deal/deal-page.tsx'
import { MissingDeal } from './components/deal/missing-deal.tsx'

const route = getRouteApi('/shell/deals/$id')

/** One deal. */
export function DealScreen() {
  const { id } = route.useParams()
  const navigate = useNavigate()
  const deal = useQuery(queries.deal(id))
  const toPipeline = () => navigate({ to: '/pipeline' })
  useActions([
    {
      id: 'back-to-list',
      label: keyboard.backToList,
      group: strings.deal,
      keys: ['Escape'],
      run: toPipeline,
    },
  ])
  const isMissing = deal.error instanceof NotFound
  if (deal.data && !isMissing) return <DealPage key={id} deal={deal.data} onDeleted={toPipeline} />
  return (
    <Page
      title={isMissing && !isInTrash(deal.error) ? strings.dealNotFound : strings.deal}
      heading={strings.deal}
    >
      {deal.isPending ? (
        <SkeletonLines lines={10} height={26} />
      ) : isMissing ? (
        <MissingDeal id={id} error={deal.error} />
      ) : (
        <ErrorState error={deal.error} retry={() => deal.refetch()} />
      )}
    </Page>
  )
}
