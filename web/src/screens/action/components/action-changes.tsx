import { Paper, Stack, Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { strings } from '#strings/actions.ts'
import { ActivityTimeline } from '#web/activity/activity-timeline.tsx'
import { ACTION_PAGE_SIZE } from '#web/api/activity-queries.ts'
import { pageCount } from '#web/api/paging.ts'
import { queries } from '#web/api/queries.ts'
import { Pages } from '#web/ui/pages.tsx'
import { ErrorState, SkeletonLines } from '#web/ui/states.tsx'

/** The activity records of an action. */
export function ActionChanges({ id }: { id: string }) {
  const [page, goTo] = useState(1)
  const activity = useQuery(queries.actionActivity(id, page))
  return (
    <Stack gap="sm" component="section" aria-labelledby="action-changes">
      <Title order={2} size="h4" id="action-changes">
        {strings.changes}
      </Title>
      {activity.isPending && <SkeletonLines lines={6} height={26} />}
      {activity.isError && !activity.data && (
        <ErrorState error={activity.error} retry={() => activity.refetch()} />
      )}
      {activity.data?.data.length === 0 && (
        <Text size="sm" c="dimmed">
          {strings.noChanges}
        </Text>
      )}
      {activity.data && activity.data.data.length > 0 && (
        <Paper withBorder p={{ base: 'sm', sm: 'md' }} aria-busy={activity.isPlaceholderData}>
          <ActivityTimeline
            records={activity.data.data}
            order={3}
            isOneAction
            hasNewer={page > 1}
            hasOlder={page * ACTION_PAGE_SIZE < activity.data.pagination.total}
          />
        </Paper>
      )}
      <Pages query={activity} pages={pageCount(activity.data, ACTION_PAGE_SIZE)} page={page} goTo={goTo} />
    </Stack>
  )
}
