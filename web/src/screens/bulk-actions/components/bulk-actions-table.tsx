import { Group, Paper, Skeleton, Stack, Table, Text } from '@mantine/core'
import { strings } from '#strings/bulk-actions.ts'
import type { BulkAction } from '#web/api/service.ts'
import { ACTION_ICONS, actionName, priorityName } from '#web/bulk-actions/action-labels.ts'
import { ActionProgress } from '#web/bulk-actions/action-progress.tsx'
import { elapsedMs, formatDuration, useNow } from '#web/bulk-actions/duration.ts'
import { isInProgress } from '#web/bulk-actions/latest-bulk-actions.ts'
import { StatusBadge } from '#web/bulk-actions/status-badge.tsx'
import { formatAge, formatMoment } from '#web/format/format.ts'
import { ScreenLink } from '#web/ui/link.tsx'
import { useIsCompact } from '#web/ui/use-preferences.ts'

/** A table of bulk actions. Narrow screens show fewer columns. */
export function BulkActionsTable({ actions }: { actions: BulkAction[] }) {
  const now = useNow(actions.some(isInProgress))
  const isCompact = useIsCompact()
  return (
    <Paper withBorder style={{ overflow: 'hidden' }}>
      <Table
        highlightOnHover
        verticalSpacing={isCompact ? 6 : 'sm'}
        horizontalSpacing="sm"
        aria-label={strings.title}
        layout="fixed"
      >
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{strings.columns.type}</Table.Th>
            <Table.Th visibleFrom="sm" w={170}>
              {strings.columns.status}
            </Table.Th>
            <Table.Th w={{ base: '40%', sm: 'auto' }}>{strings.columns.progress}</Table.Th>
            <Table.Th visibleFrom="lg" w={130}>
              {strings.columns.priority}
            </Table.Th>
            <Table.Th visibleFrom="sm" w={140}>
              {strings.columns.created}
            </Table.Th>
            <Table.Th visibleFrom="lg" w={120}>
              {strings.columns.duration}
            </Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {actions.map((action) => (
            <BulkActionRow key={action.id} action={action} now={now} />
          ))}
        </Table.Tbody>
      </Table>
    </Paper>
  )
}

function BulkActionRow({ action, now }: { action: BulkAction; now: number }) {
  const Icon = ACTION_ICONS[action.action_type]
  return (
    <Table.Tr>
      <Table.Td>
        <Group gap="xs" wrap="nowrap" align="flex-start">
          {Icon && <Icon size={18} stroke={1.5} aria-hidden style={{ flexShrink: 0, marginTop: 2 }} />}
          <Stack gap={4} align="flex-start" style={{ minWidth: 0 }}>
            <ScreenLink to="/bulk-actions/$id" params={{ id: action.id }} size="sm" fw={600}>
              {actionName(action.action_type)}
            </ScreenLink>
            <Stack gap={4} hiddenFrom="sm" align="flex-start">
              <StatusBadge status={action.status} />
              <Text size="xs" c="dimmed">
                {formatAge(action.created_at, now)}
              </Text>
            </Stack>
          </Stack>
        </Group>
      </Table.Td>
      <Table.Td visibleFrom="sm">
        <StatusBadge status={action.status} />
      </Table.Td>
      <Table.Td>
        <Stack gap={6}>
          <Text size="xs" style={{ fontVariantNumeric: 'tabular-nums' }}>
            {strings.progress(action.processed_companies, action.failed_companies, action.total_companies)}
          </Text>
          <ActionProgress action={action} />
          {action.waiting_for && isInProgress(action) && (
            <Text size="xs" c="dimmed" lineClamp={2} title={action.waiting_for} dir="auto">
              {action.waiting_for}
            </Text>
          )}
        </Stack>
      </Table.Td>
      <Table.Td visibleFrom="lg">
        <Text size="sm" component="span">
          {priorityName(action.priority)}
        </Text>{' '}
        <Text size="sm" c="dimmed" component="span">
          {action.priority}
        </Text>
      </Table.Td>
      <Table.Td visibleFrom="sm">
        <Text size="sm" title={formatMoment(action.created_at)}>
          {formatAge(action.created_at, now)}
        </Text>
      </Table.Td>
      <Table.Td visibleFrom="lg">
        <Text size="sm" style={{ fontVariantNumeric: 'tabular-nums' }}>
          {formatDuration(elapsedMs(action, now))}
        </Text>
      </Table.Td>
    </Table.Tr>
  )
}

export function BulkActionsSkeleton() {
  return (
    <Stack gap="sm" aria-hidden>
      {['a', 'b', 'c', 'd', 'e', 'f'].map((row) => (
        <Skeleton key={row} height={52} />
      ))}
    </Stack>
  )
}
