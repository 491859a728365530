import { Group, Skeleton, Stack, Text, Tooltip } from '@mantine/core'
import { IconArrowLeft, IconLivePhoto, IconRefresh, IconStack2 } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { NotFound } from '#src/client/errors.ts'
import { strings } from '#strings/bulk-actions.ts'
import { queries } from '#web/api/queries.ts'
import type { BulkAction } from '#web/api/service.ts'
import { actionName, priorityName } from '#web/bulk-actions/action-labels.ts'
import { useNow } from '#web/bulk-actions/duration.ts'
import { isInProgress } from '#web/bulk-actions/latest-bulk-actions.ts'
import { StatusBadge } from '#web/bulk-actions/status-badge.tsx'
import { formatAge, formatMoment } from '#web/format/format.ts'
import { ScreenLink } from '#web/ui/link.tsx'
import { Page } from '#web/ui/page.tsx'
import { EmptyState, ErrorState } from '#web/ui/states.tsx'
import { ActionButtons } from './components/action-buttons.tsx'
import { ActionCompanies } from './components/action-companies.tsx'
import { ActionFailures } from './components/action-failures.tsx'
import { ActionState } from './components/action-state.tsx'
import { ActionUsage } from './components/action-usage.tsx'
import { useLiveBulkAction } from './hooks/use-live-bulk-action.ts'

const route = getRouteApi('/shell/bulk-actions/$id')

/** One bulk action, updated live: progress, usage, failures, and companies. */
export function BulkActionScreen() {
  const { id } = route.useParams()
  const { action, isLive } = useLiveBulkAction(id)
  return (
    <Stack gap="xs">
      <ScreenLink to="/bulk-actions" size="sm" style={{ alignSelf: 'flex-start' }}>
        <Group gap={4} wrap="nowrap">
          <IconArrowLeft size={14} aria-hidden />
          {strings.allActions}
        </Group>
      </ScreenLink>
      <Page
        title={action.data ? actionName(action.data.action_type) : strings.bulkAction}
        description={action.data && <Facts action={action.data} isLive={isLive} />}
        actions={action.data && <ActionButtons action={action.data} />}
      >
        {action.isPending && <BulkActionSkeleton />}
        {action.error instanceof NotFound && (
          <EmptyState icon={<IconStack2 aria-hidden />} title={strings.notFoundTitle}>
            {strings.notFound}
          </EmptyState>
        )}
        {action.isError && !action.data && !(action.error instanceof NotFound) && (
          <ErrorState error={action.error} retry={() => action.refetch()} />
        )}
        {action.data && (
          <Stack gap="lg">
            <ActionState key={action.data.id} action={action.data} />
            <ActionUsage action={action.data} />
            <ActionFailures action={action.data} />
            {action.data.processed_companies > 0 && <ActionCompanies action={action.data} />}
          </Stack>
        )}
      </Page>
    </Stack>
  )
}

function Facts({ action, isLive }: { action: BulkAction; isLive: boolean }) {
  const now = useNow(isInProgress(action))
  const theses = useQuery({ ...queries.theses(), enabled: action.thesis_id !== null })
  const thesis = theses.data?.data.find(({ id }) => id === action.thesis_id)
  const age = formatAge(action.created_at, now)
  return (
    <Stack gap={4}>
      <Group gap="xs">
        <StatusBadge status={action.status} />
        {isInProgress(action) && <Connection isLive={isLive} />}
      </Group>
      <Text size="sm" title={formatMoment(action.created_at)} className="break-anywhere">
        {action.user_email ? strings.startedBy(action.user_email, age) : strings.startedAge(age)}
        {' · '}
        {strings.companies(action.total_companies)}
        {' · '}
        {strings.priorityIs(priorityName(action.priority), action.priority)}
        {action.force && ` · ${strings.forced}`}
        {action.kept_companies > 0 && ` · ${strings.keptCompanies(action.kept_companies)}`}
      </Text>
      {action.thesis_id && (
        <Text size="sm" className="break-anywhere">
          {strings.againstThesis}{' '}
          <ScreenLink
            to="/theses/$id"
            params={{ id: action.thesis_id }}
            size="sm"
            underline="always"
            dir="auto"
          >
            {thesis ? `${thesis.code} · ${thesis.title}` : action.thesis_id}
          </ScreenLink>
        </Text>
      )}
    </Stack>
  )
}

function Connection({ isLive }: { isLive: boolean }) {
  const Icon = isLive ? IconLivePhoto : IconRefresh
  return (
    <Tooltip label={isLive ? strings.liveHelp : strings.pollingHelp} multiline w={240}>
      <Group gap={4} wrap="nowrap">
        <Icon size={14} aria-hidden />
        <Text size="xs">{isLive ? strings.live : strings.polling}</Text>
      </Group>
    </Tooltip>
  )
}

function BulkActionSkeleton() {
  return (
    <Stack gap="lg" aria-hidden>
      <Skeleton height={180} />
      <Skeleton height={110} />
    </Stack>
  )
}
