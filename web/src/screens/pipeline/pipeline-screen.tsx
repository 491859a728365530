import { Alert, Button, Group, SegmentedControl, Skeleton } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconInfoCircle, IconLayoutKanban, IconList, IconPlus, IconX } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useCallback, useMemo, useState } from 'react'
import { strings } from '#strings/pipeline.ts'
import { queries } from '#web/service/queries.ts'
import type { Deal } from '#web/service/service.ts'
import { useMay } from '#web/service/use-may.ts'
import { ScreenButton } from '#web/ui/link.tsx'
import { Page } from '#web/ui/page.tsx'
import { ErrorState } from '#web/ui/states.tsx'
import { useIsCompact } from '#web/ui/use-preferences.ts'
import { formatNumber, formatWord } from '#web/words/format.ts'
import { Board } from './board.tsx'
import { DealPanel } from './deal-panel.tsx'
import { columnsOf, dealsQuery, MAX_DEALS, matchingStatus } from './deals.ts'
import { DealsTable } from './deals-table.tsx'
import NewDeal from './new-deal-dialog.tsx'
import { NoDeals } from './no-deals.tsx'
import { StatusFilter } from './status-filter.tsx'
import { StatusPrompt } from './status-prompt.tsx'
import { useMoveDeal } from './use-update-deal.tsx'

const route = getRouteApi('/shell/pipeline')

/** All deals, as a board by stage or as a list. */
export function PipelineScreen() {
  const { view, deal: open, status = 'all', stage } = route.useSearch()
  const navigate = route.useNavigate()
  const deals = useQuery(queries.deals(dealsQuery(status, stage)))
  const [isCreating, createDialog] = useDisclosure(false)
  const [promptedDeal, setPromptedDeal] = useState<Deal | null>(null)
  const promptForStatus = useCallback((deal: Deal) => setPromptedDeal(matchingStatus(deal) ? deal : null), [])
  const move = useMoveDeal(promptForStatus)
  const isCompact = useIsCompact()
  const mayWrite = useMay('write')
  const page = deals.data
  const hasMore = page?.pagination.hasMore ?? false
  const totals = useQuery({
    ...queries.dealStages(status === 'all' ? {} : { status }),
    enabled: hasMore,
  })
  const columns = useMemo(
    () => columnsOf(page?.data ?? [], hasMore ? totals.data : undefined),
    [page?.data, hasMore, totals.data],
  )
  const shown = useMemo(
    () => (stage ? columns.filter((column) => column.stage === stage) : columns),
    [columns, stage],
  )
  // A new array only when the stages change, so that the cards do not render with every change of a deal.
  const named = columns.map((column) => column.stage).join('\n')
  const stages = useMemo(() => named.split('\n'), [named])
  const isEmpty = page?.data.length === 0
  const Content = view === 'list' ? DealsTable : Board
  return (
    <Page
      title={strings.title}
      description={strings.description}
      actions={
        mayWrite && (
          <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={createDialog.open}>
            {strings.newDeal}
          </Button>
        )
      }
    >
      <Group justify="space-between" gap="sm">
        <Group gap="sm">
          <StatusFilter
            status={status}
            choose={(chosen) =>
              navigate({
                search: ({ status: _status, ...search }) =>
                  chosen === 'all' ? search : { ...search, status: chosen },
              })
            }
          />
          {stage && (
            <ScreenButton
              to="/pipeline"
              search={({ stage: _stage, ...search }) => search}
              variant="light"
              size="compact-sm"
              rightSection={<IconX size={14} aria-hidden />}
              aria-label={strings.clearStageFilter(formatWord(stage))}
            >
              {strings.stageFilter(formatWord(stage))}
            </ScreenButton>
          )}
        </Group>
        <SegmentedControl
          aria-label={strings.view}
          value={view ?? 'board'}
          onChange={(chosen) =>
            navigate({
              search: ({ view: _view, ...search }) =>
                chosen === 'list' ? { ...search, view: 'list' } : search,
            })
          }
          data={[
            { value: 'board', label: <ViewLabel Icon={IconLayoutKanban} label={strings.board} /> },
            { value: 'list', label: <ViewLabel Icon={IconList} label={strings.list} /> },
          ]}
        />
      </Group>
      {page && hasMore && (
        <Alert icon={<IconInfoCircle aria-hidden />} color="blue" variant="light" py="xs" role="status">
          {strings.truncated(formatNumber(MAX_DEALS), formatNumber(page.pagination.total))}
        </Alert>
      )}
      {deals.isPending && <Skeleton height="max(24rem, calc(100dvh - 14.5rem))" radius="md" />}
      {deals.isError && !page && <ErrorState error={deals.error} retry={() => deals.refetch()} />}
      {isEmpty && <NoDeals status={status} stage={stage} create={createDialog.open} />}
      {page && !isEmpty && (
        <Content columns={shown} stages={stages} open={open} isCompact={isCompact} move={move} />
      )}
      <DealPanel id={open} deals={page?.data ?? []} move={move} />
      {isCreating && <NewDeal close={createDialog.close} />}
      <StatusPrompt deal={promptedDeal} close={() => setPromptedDeal(null)} />
    </Page>
  )
}

function ViewLabel({ Icon, label }: { Icon: typeof IconList; label: string }) {
  return (
    <Group gap={6} wrap="nowrap" component="span">
      <Icon size={16} aria-hidden />
      <span>{label}</span>
    </Group>
  )
}
