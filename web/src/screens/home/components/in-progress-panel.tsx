import { Group, Progress, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { strings } from '#strings/home.ts'
import type { BulkAction } from '#web/api/service.ts'
import { actionName } from '#web/bulk-actions/action-labels.ts'
import { isInProgress, latestBulkActions } from '#web/bulk-actions/latest-bulk-actions.ts'
import { formatNumber } from '#web/format/format.ts'
import { ScreenLink } from '#web/ui/link.tsx'
import { Panel } from './panel.tsx'

/** The user's bulk actions in progress. Hidden if there are none. */
export function InProgressPanel() {
  const { data } = useQuery(latestBulkActions())
  const live = data?.data.filter(isInProgress) ?? []
  if (live.length === 0) return null
  return (
    <Panel
      title={strings.inProgress}
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

function LiveAction({ action }: { action: BulkAction }) {
  const { id, action_type, status, total_companies, processed_companies, failed_companies } = action
  const done = processed_companies + failed_companies
  const name = actionName(action_type)
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
