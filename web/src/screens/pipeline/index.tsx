import { Button, Skeleton } from '@mantine/core'
import { useDisclosure, useLocalStorage } from '@mantine/hooks'
import { IconPlus } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { lazy, useMemo } from 'react'
import { strings } from '#strings/pipeline.ts'
import { useCan } from '#web/api/use-can.ts'
import { useOwnColumns } from '#web/columns/use-own-columns.ts'
import { useActions } from '#web/keyboard/actions.ts'
import { LazyDialog, LazyPart } from '#web/ui/lazy.tsx'
import { Page } from '#web/ui/page.tsx'
import { ErrorState } from '#web/ui/states.tsx'
import { useIsCompact } from '#web/ui/use-preferences.ts'
import { useNewRecords } from '#web/views/hooks/use-new-records.ts'
import { ViewRow } from '#web/views/view-row.tsx'
import { BoardContext } from './board-context.ts'
import { BoardLayout } from './components/board/board-layout.tsx'
import { DealPanel } from './components/deal/deal-panel.tsx'
import { NoDeals } from './components/no-deals.tsx'
import { PipelineFilters } from './components/pipeline-filters.tsx'
import { PipelineMenu } from './components/pipeline-menu.tsx'
import type { Stage } from './deals.ts'
import { DEFAULT_COLUMNS } from './defaults.ts'
import { useOutcomes } from './hooks/use-outcomes.tsx'
import { usePipelineView } from './hooks/use-pipeline-view.ts'
import { stageTotals, useConfiguredStages } from './pipeline-query.ts'
import type { PipelineSearch } from './pipeline-search.ts'

const ListLayout = lazy(() => import('./components/list/list-layout.tsx'))
const NewDeal = lazy(() => import('./components/deal/new-deal-dialog.tsx'))

/** All deals, as a board by stage or as a list. */
export function PipelineScreen() {
  const { data: configured } = useConfiguredStages()
  const [own, setOwn] = useOwnColumns('deal', DEFAULT_COLUMNS)
  const view = usePipelineView(own)
  const { search } = view
  const { isOpening } = view.open
  const { layout, deal: open, stage: onlyStage } = search
  const { selection, query } = stageTotals(search)
  const totals = useQuery({ ...query, enabled: !isOpening })
  const stages = useStages(configured, totals.data)
  const [isCreating, createDialog] = useDisclosure(false)
  const { move, dialog } = useOutcomes(stages)
  const isCompact = useIsCompact()
  const mayWrite = useCan('write')
  useActions([
    mayWrite && { id: 'new-deal', label: strings.newDeal, group: strings.title, run: createDialog.open },
  ])
  const columns = useMemo(
    () => totals.data?.filter(({ stage }) => !onlyStage || stage === onlyStage),
    [totals.data, onlyStage],
  )
  const isEmpty = columns?.every(({ deals }) => deals === 0) ?? false
  const newIds = useNewRecords(view.open.view)
  const [showsSource, setShowsSource] = useLocalStorage({ key: 'board-shows-source', defaultValue: false })
  const board = useMemo(
    () => ({ stages, move, isCompact, showsSource, newIds }),
    [stages, move, isCompact, showsSource, newIds],
  )
  return (
    <Page
      title={strings.title}
      actions={
        <>
          {mayWrite && (
            <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={createDialog.open}>
              {strings.newDeal}
            </Button>
          )}
          <PipelineMenu
            selection={{ ...selection, ...listed(search) }}
            total={columns?.reduce((sum, { deals }) => sum + deals, 0) ?? 0}
            {...(layout !== 'list' && { showsSource, setShowsSource })}
          />
        </>
      }
    >
      <BoardContext value={board}>
        <ViewRow view={view} />
        <PipelineFilters search={search} stages={stages} isDisabled={isOpening} />
        {totals.isPending && <BoardSkeleton />}
        {totals.isError && <ErrorState error={totals.error} retry={() => totals.refetch()} />}
        {isEmpty && <NoDeals search={search} create={createDialog.open} />}
        {columns && !isEmpty && layout !== 'list' && (
          <BoardLayout columns={columns} selection={selection} open={open} />
        )}
        {columns && !isEmpty && layout === 'list' && (
          <LazyPart fallback={<BoardSkeleton />}>
            <ListLayout stages={columns} {...{ selection, search, own, setOwn }} />
          </LazyPart>
        )}
        <DealPanel id={open} />
      </BoardContext>
      {isCreating && (
        <LazyDialog close={createDialog.close}>
          <NewDeal close={createDialog.close} />
        </LazyDialog>
      )}
      {dialog}
    </Page>
  )
}

/** What only the list takes of the address: the stage, and the sort. */
const listed = ({ stage, sort }: PipelineSearch) => ({ ...(stage && { stage }), ...(sort && { sort }) })

const BoardSkeleton = () => (
  <Skeleton
    height="max(24rem, calc(var(--screen-height) - 14.125rem))"
    radius="md"
    data-skeleton="deals"
    aria-busy
  />
)

/** The configured stages, and those that deals on screen have. The array changes only with the stages. */
function useStages(configured: Stage[] | undefined, columns: readonly Stage[] | undefined): Stage[] {
  const all = columns ?? configured ?? []
  const named = JSON.stringify(all.map(({ stage, label, outcome }) => ({ stage, label, outcome })))
  return useMemo(() => JSON.parse(named) as Stage[], [named])
}
