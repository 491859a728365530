import { Button } from '@mantine/core'
import { IconLayoutKanban, IconPlus } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { strings } from '#strings/pipeline.ts'
import { queries } from '#web/service/queries.ts'
import { useMay } from '#web/service/use-may.ts'
import { ScreenButton } from '#web/ui/link.tsx'
import { EmptyState } from '#web/ui/states.tsx'
import { formatWord } from '#web/words/format.ts'

interface NoDealsProps {
  status: string
  stage: string | undefined
  create: () => void
}

/** Explains why no deals are shown. */
export function NoDeals({ status, stage, create }: NoDealsProps) {
  const mayWrite = useMay('write')
  const hasFilter = status !== 'all' || stage !== undefined
  const any = useQuery({ ...queries.deals({ limit: 1 }), enabled: hasFilter })
  const isFiltered = hasFilter && (any.data?.data.length ?? 0) > 0
  if (isFiltered)
    return (
      <EmptyState
        icon={<IconLayoutKanban aria-hidden />}
        title={stage ? strings.emptyForStage(formatWord(stage)) : strings.emptyForStatus(formatWord(status))}
        action={
          <ScreenButton
            to="/pipeline"
            search={({ stage: _stage, ...search }) => ({ ...search, status: 'all' })}
            variant="default"
            mt="xs"
          >
            {strings.showAll}
          </ScreenButton>
        }
      >
        {stage ? strings.emptyForStageHelp : strings.emptyForStatusHelp}
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
