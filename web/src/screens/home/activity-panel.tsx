import { Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { strings } from '#strings/home.ts'
import { runsOf } from '#web/activity/activity-runs.ts'
import { ActivityList } from '#web/activity/activity-timeline.tsx'
import { queries } from '#web/service/queries.ts'
import { ScreenLink } from '#web/ui/link.tsx'
import { ErrorState, SkeletonLines } from '#web/ui/states.tsx'
import { Panel } from './panel.tsx'

const SHOWN = 10
/** More than are shown, since what one action did to many companies is one entry. */
const READ = { limit: 100 }

/** What happened last. */
export function ActivityPanel() {
  const activity = useQuery(queries.activity(READ))
  const runs = runsOf(activity.data?.data ?? []).slice(0, SHOWN)
  return (
    <Panel
      title={strings.recentActivity}
      link={
        <ScreenLink to="/activity" size="sm">
          {strings.allActivity}
        </ScreenLink>
      }
    >
      {activity.isPending && <SkeletonLines lines={SHOWN} height={26} />}
      {activity.isError && !activity.data && (
        <ErrorState error={activity.error} retry={() => activity.refetch()} />
      )}
      {activity.data &&
        (runs.length > 0 ? (
          <ActivityList runs={runs} />
        ) : (
          <Text c="dimmed" size="sm">
            {strings.noActivity}
          </Text>
        ))}
    </Panel>
  )
}
