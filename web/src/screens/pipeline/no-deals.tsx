import { Button } from '@mantine/core'
import { IconLayoutKanban, IconPlus } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { strings } from '#strings/pipeline.ts'
import { formatWord } from '#web/parts/format.ts'
import { ScreenButton } from '#web/parts/link.tsx'
import { EmptyState } from '#web/parts/states.tsx'
import { queries } from '#web/service/queries.ts'

/** Says why no deals are shown: there are none at all, or none with this status. */
export function NoDeals({ status, create }: { status: string; create: () => void }) {
  const any = useQuery({ ...queries.deals({ limit: 1 }), enabled: status !== 'all' })
  const isFiltered = status !== 'all' && (any.data?.data.length ?? 0) > 0
  if (isFiltered)
    return (
      <EmptyState
        icon={<IconLayoutKanban aria-hidden />}
        title={strings.emptyForStatus(formatWord(status))}
        action={
          <ScreenButton
            to="/pipeline"
            search={(search) => ({ ...search, status: 'all' })}
            variant="default"
            mt="xs"
          >
            {strings.showAll}
          </ScreenButton>
        }
      >
        {strings.emptyForStatusExplained}
      </EmptyState>
    )
  return (
    <EmptyState
      icon={<IconLayoutKanban aria-hidden />}
      title={strings.emptyTitle}
      action={
        <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={create} mt="xs">
          {strings.newDeal}
        </Button>
      }
    >
      {strings.empty}
    </EmptyState>
  )
}
