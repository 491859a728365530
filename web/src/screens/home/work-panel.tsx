import { Group, Progress, Stack, Text } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { strings } from '#strings/home.ts'
import { formatNumber } from '#web/parts/format.ts'
import { ScreenLink } from '#web/parts/link.tsx'
import { queries } from '#web/service/queries.ts'
import type { BulkAction } from '#web/service/service.ts'
import { Panel } from './panel.tsx'

const LOOK_EVERY_MS = 3000
const LATEST = { limit: 20 }

const isLive = ({ status }: BulkAction): boolean => status === 'pending' || status === 'running'

/** The reader's bulk actions that have not ended, as they move on; nothing when there are none. */
export function WorkPanel() {
  const { data } = useQuery({
    ...queries.bulkActions(LATEST),
    refetchInterval: (query) => (query.state.data?.data.some(isLive) ? LOOK_EVERY_MS : false),
  })
  const live = data?.data.filter(isLive) ?? []
  useReadingAgain(live.length)
  if (live.length === 0) return null
  return (
    <Panel
      title={strings.atWork}
      link={
        <ScreenLink to="/bulk-actions" size="sm">
          {strings.allBulkActions}
        </ScreenLink>
      }
    >
      <Stack gap="md">
        {live.map((action) => (
          <LiveAction key={action.id} action={action} />
        ))}
      </Stack>
    </Panel>
  )
}

/** Has the numbers of this screen read again when an action has ended. */
function useReadingAgain(count: number): void {
  const queryClient = useQueryClient()
  const former = useRef(count)
  useEffect(() => {
    const hasEnded = count < former.current
    former.current = count
    if (!hasEnded) return
    for (const key of [['companies', 'facets'], ['stats'], ['activity']])
      queryClient.invalidateQueries({ queryKey: key })
  }, [count, queryClient])
}

function LiveAction({ action }: { action: BulkAction }) {
  const { id, action_type, status, total_companies, processed_companies, failed_companies } = action
  const done = processed_companies + failed_companies
  const name = strings.actions[action_type] ?? action_type
  const progress = strings.progress(formatNumber(done), formatNumber(total_companies))
  const share = (count: number) => (total_companies > 0 ? (count / total_companies) * 100 : 0)
  return (
    <div>
      <Group justify="space-between" gap="xs" mb={6}>
        <ScreenLink to="/bulk-actions/$id" params={{ id }} size="sm" fw={550}>
          {name}
        </ScreenLink>
        <Text size="sm" c="dimmed" style={{ fontVariantNumeric: 'tabular-nums' }}>
          {status === 'pending' ? strings.pending : strings.running} · {progress}
          {failed_companies > 0 && ` · ${strings.failed(formatNumber(failed_companies))}`}
        </Text>
      </Group>
      <Progress.Root size="md">
        <Progress.Section
          value={share(processed_companies)}
          color="teal"
          animated={status === 'running'}
          aria-label={`${name}: ${progress}`}
        />
        {failed_companies > 0 && (
          <Progress.Section
            value={share(failed_companies)}
            color="red"
            aria-label={strings.failed(formatNumber(failed_companies))}
          />
        )}
      </Progress.Root>
      {action.waiting_for && (
        <Text size="xs" c="dimmed" mt={4} className="break-anywhere">
          {strings.waitingFor(action.waiting_for)}
        </Text>
      )}
    </div>
  )
}
