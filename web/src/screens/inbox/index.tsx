import { Button, Group, Stack, Text, Title } from '@mantine/core'
import { IconChecks, IconInbox, IconSettings } from '@tabler/icons-react'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useMemo, useRef } from 'react'
import { strings } from '#strings/inbox.ts'
import { type InboxFilter, notificationQueries } from '#web/api/notification-queries.ts'
import type { Notification } from '#web/api/service.ts'
import { daysAgo, formatDayHeading } from '#web/format/days.ts'
import { ScreenButton } from '#web/ui/link.tsx'
import { Page } from '#web/ui/page.tsx'
import { SegmentedControl } from '#web/ui/segmented-control.tsx'
import { EmptyState, ErrorState, SkeletonLines } from '#web/ui/states.tsx'
import { NotificationRow } from './components/notification-row.tsx'
import { useInboxKeys } from './hooks/use-inbox-keys.ts'
import { type Mark, useMarkAllRead, useMarks } from './hooks/use-marks.ts'
import classes from './inbox.module.css'

const route = getRouteApi('/shell/inbox')
const FILTERS = (['all', 'unread', 'done'] as const).map((value) => ({
  value: value as InboxFilter,
  label: strings.filters[value],
}))

/** The notifications of the user, newest first. */
export function InboxScreen() {
  const { show = 'all' } = route.useSearch()
  const navigate = route.useNavigate()
  const list = useRef<HTMLDivElement>(null)
  const inbox = useInfiniteQuery(notificationQueries.list(show))
  const { data: unread } = useQuery(notificationQueries.unread())
  const { mark } = useMarks()
  const readAll = useMarkAllRead()
  const notifications = useMemo(() => inbox.data?.pages.flatMap(({ data }) => data) ?? [], [inbox.data])
  const mayMarkAll = (unread ?? 0) > 0 && show !== 'done' && notifications.length > 0
  const markAllRead = () => readAll.mutate({ mark: 'read', notifications })
  useInboxKeys({ notifications, list, mark, markAllRead, mayMarkAll })
  return (
    <Page
      title={strings.title}
      description={<span role="status">{unread === undefined ? '\u00a0' : strings.unread(unread)}</span>}
      actions={
        <>
          <Button
            variant="default"
            leftSection={<IconChecks size={16} aria-hidden />}
            onClick={markAllRead}
            disabled={!mayMarkAll}
            title={`${strings.markAllRead} (Shift+U)`}
          >
            {strings.markAllRead}
          </Button>
          <ScreenButton
            to="/settings/notifications"
            variant="default"
            px="xs"
            aria-label={strings.settings}
            title={strings.settings}
          >
            <IconSettings size={16} aria-hidden />
          </ScreenButton>
        </>
      }
    >
      <Group gap="md" justify="space-between" maw="60rem">
        <SegmentedControl
          aria-label={strings.show}
          data={FILTERS}
          value={show}
          onChange={(value) => navigate({ search: value === 'all' ? {} : { show: value }, replace: true })}
        />
        <Text size="xs" c="dimmed" className="needs-keyboard">
          {strings.keys}
        </Text>
      </Group>
      {inbox.isPending && <SkeletonLines lines={8} height={28} />}
      {inbox.isError && !inbox.data && <ErrorState error={inbox.error} retry={() => inbox.refetch()} />}
      {inbox.isSuccess && notifications.length === 0 && !inbox.hasNextPage && (
        <EmptyState icon={<IconInbox aria-hidden />} title={strings.empty[show]}>
          {strings.emptyHelp[show]}
        </EmptyState>
      )}
      <div ref={list} className={classes.list}>
        <Days notifications={notifications} mark={mark} />
      </div>
      {inbox.hasNextPage && (
        <Button
          variant="default"
          size="compact-sm"
          loading={inbox.isFetchingNextPage}
          onClick={() => inbox.fetchNextPage()}
          style={{ alignSelf: 'flex-start' }}
        >
          {strings.more}
        </Button>
      )}
    </Page>
  )
}

interface DaysProps {
  notifications: readonly Notification[]
  mark: (mark: Mark, notification: Notification) => void
}

/** The notifications of today, of yesterday, and from before. */
function Days({ notifications, mark }: DaysProps) {
  const days = Map.groupBy(notifications, ({ at }) =>
    daysAgo(at) <= 1 ? formatDayHeading(at) : strings.earlier,
  )
  return [...days].map(([day, ofDay]) => (
    <Stack key={day} gap="xs" component="section">
      <Title order={2} size="h6" c="dimmed">
        {day}
      </Title>
      <ul className={classes.rows}>
        {ofDay.map((notification) => (
          <NotificationRow key={notification.id} notification={notification} mark={mark} />
        ))}
      </ul>
    </Stack>
  ))
}
