import { Button } from '@mantine/core'
import { IconLayoutKanban, IconPlus } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { strings } from '#strings/pipeline.ts'
import { queries } from '#web/api/queries.ts'
import { useCan } from '#web/api/use-can.ts'
import { formatWord } from '#web/format/format.ts'
import { ScreenButton } from '#web/ui/link.tsx'
import { EmptyState } from '#web/ui/states.tsx'
import { ALL } from '#web/views/view-screens.ts'
import { useBoard } from '../board-context.ts'
import { labelOfStage } from '../deals.ts'
import type { PipelineSearch } from '../pipeline-search.ts'

interface NoDealsProps {
  search: PipelineSearch
  create: () => void
}

/** Explains why no deals are shown. */
export function NoDeals({ search, create }: NoDealsProps) {
  const { status = 'all', stage, owner, stuck, filter } = search
  const { stages } = useBoard()
  const mayWrite = useCan('write')
  const isOnlyStatus = !stage && !owner && !stuck && !filter
  const hasFilter = status !== 'all' || !isOnlyStatus
  const any = useQuery({ ...queries.deals({ limit: 1 }), enabled: hasFilter })
  const isFiltered = hasFilter && (any.data?.data.length ?? 0) > 0
  const title = isOnlyStatus
    ? strings.emptyForStatus(formatWord(status))
    : stage && !owner && !stuck && !filter
      ? strings.emptyForStage(labelOfStage(stages, stage))
      : strings.emptyForFilters
  if (isFiltered)
    return (
      <EmptyState
        icon={<IconLayoutKanban aria-hidden />}
        title={title}
        action={
          <ScreenButton
            from="/pipeline"
            to="/pipeline"
            search={({ layout }) => ({ view: ALL, ...(layout && { layout }) })}
            variant="default"
            mt="xs"
          >
            {strings.showAll}
          </ScreenButton>
        }
      >
        {isOnlyStatus ? strings.emptyForStatusHelp : strings.emptyForFiltersHelp}
      </EmptyState>
    )
  return (
    <EmptyState
      icon={<IconLayoutKanban aria-hidden />}
      title={strings.emptyTitle}
      action={
        mayWrite && (
          <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={create} mt="xs">
            {strings.newDeal}
          </Button>
        )
      }
    >
      {mayWrite && strings.empty}
    </EmptyState>
  )
}
