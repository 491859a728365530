import { Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { strings } from '#strings/home.ts'
import { groupActivity } from '#web/activity/activity-groups.ts'
import { ActivityList } from '#web/activity/activity-timeline.tsx'
import { queries } from '#web/api/queries.ts'
import { ScreenLink } from '#web/ui/link.tsx'
import { ErrorState, SkeletonLines } from '#web/ui/states.tsx'
import { Panel } from './panel.tsx'

const MAX_ENTRIES = 10
/** More than are shown, because what one action did to many companies is one entry. */
const QUERY = { limit: 100 }

/** The latest activity. */
export function ActivityPanel() {
  const activity = useQuery(queries.activity(QUERY))
  const { data: records, pagination } = activity.data ?? { data: [] }
  const groups = groupActivity(records).slice(0, MAX_ENTRIES)
  const hasOlder = (pagination?.total ?? 0) > records.length
  return (
    <Panel
      title={strings.recentActivity}
      link={
        <ScreenLink to="/activity" size="sm">
          {strings.allActivity}
        </ScreenLink>
      }
    >
      {activity.isPending && <SkeletonLines lines={MAX_ENTRIES} height={26} />}
      {activity.isError && !activity.data && (
        <ErrorState error={activity.error} retry={() => activity.refetch()} />
      )}
      {activity.data &&
        (groups.length > 0 ? (
          <ActivityList groups={groups} cut={hasOlder ? records.slice(-1) : []} />
        ) : (
          <Text c="dimmed" size="sm">
            {strings.noActivity}
          </Text>
        ))}
    </Panel>
  )
}
