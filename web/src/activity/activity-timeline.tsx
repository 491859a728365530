import { Anchor, Stack, Text, Title, type TitleOrder, VisuallyHidden } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { memo, useMemo, useState } from 'react'
import { strings } from '#strings/activity.ts'
import { queries } from '#web/api/queries.ts'
import type { Activity, CurrentUser } from '#web/api/service.ts'
import { useGrowingCount } from '#web/browser/use-growing-count.ts'
import { formatDayHeading } from '#web/format/days.ts'
import { formatNumber } from '#web/format/format.ts'
import { Age } from '#web/ui/age.tsx'
import { ScreenLink } from '#web/ui/link.tsx'
import { type ActivityGroup, groupActivity } from './activity-groups.ts'
import { ActivityIcon } from './activity-icon.tsx'
import { ActivitySentence } from './activity-sentence.tsx'
import classes from './activity-timeline.module.css'

interface ActivityTimelineProps {
  /** Newest first. */
  records: readonly Activity[]
  /** The level of the day headings. */
  order?: TitleOrder
  /** The records of a single action are shown on its page, so they do not link to it. */
  isOneAction?: boolean
  /** Whether there are newer events than these. */
  hasNewer?: boolean
  /** Whether there are older events than these. */
  hasOlder?: boolean
}

/** How many entries, which are groups of events, to render first and with each step. */
const GROWTH = { first: 20, step: 40 }
/**
 * The height reserved for each entry and each day that is not rendered yet. Generous, so that Back can restore the
 * scroll position.
 */
const HEIGHT_REM = { entry: 6, day: 3 }

/** Events by day. What one action did to many companies is one expandable entry. */
export function ActivityTimeline({
  records,
  order = 2,
  isOneAction = false,
  hasNewer = false,
  hasOlder = false,
}: ActivityTimelineProps) {
  const cut = [...(hasNewer ? records.slice(0, 1) : []), ...(hasOlder ? records.slice(-1) : [])]
  const days = useMemo(() => groupByDay(records), [records])
  const total = days.reduce((sum, { groups }) => sum + groups.length, 0)
  const { count } = useGrowingCount(total, GROWTH)
  const shown = days.filter(({ start }) => start < count)
  const isGrowing = count < total
  const reserved = (total - count) * HEIGHT_REM.entry + (days.length - shown.length) * HEIGHT_REM.day
  return (
    <Stack gap="lg" aria-busy={isGrowing || undefined} pb={isGrowing ? `${reserved}rem` : undefined}>
      {shown.map(({ day, groups, start }) => (
        <section key={day}>
          <Title order={order} size="h6" c="dimmed" mb={4}>
            {day}
          </Title>
          <ActivityList groups={groups.slice(0, count - start)} cut={cut} asClock isOneAction={isOneAction} />
        </section>
      ))}
    </Stack>
  )
}

/** The groups of each day, with the number of groups before that day. */
function groupByDay(records: readonly Activity[]) {
  let start = 0
  return [...Map.groupBy(records, ({ timestamp }) => formatDayHeading(timestamp))].map(([day, ofDay]) => {
    const groups = groupActivity(ofDay)
    start += groups.length
    return { day, groups, start: start - groups.length }
  })
}

interface ActivityListProps {
  groups: ActivityGroup[]
  /** Records whose group continues in events that are not loaded. */
  cut?: readonly Activity[]
  asClock?: boolean
  isOneAction?: boolean
}

/** The same without day headings. */
export function ActivityList({ groups, cut = [], asClock = false, isOneAction = false }: ActivityListProps) {
  const { data: me } = useQuery(queries.me())
  return (
    <ol className={classes.list}>
      {groups.map((group) => (
        <GroupItem
          key={group[0].id}
          group={group}
          hasMore={cut.some((record) => group.includes(record))}
          me={me}
          asClock={asClock}
          isOneAction={isOneAction}
        />
      ))}
    </ol>
  )
}

interface GroupItemProps {
  group: ActivityGroup
  hasMore: boolean
  me: CurrentUser | undefined
  asClock: boolean
  isOneAction: boolean
}

const GroupItem = memo(function GroupItem({ group, hasMore, me, asClock, isOneAction }: GroupItemProps) {
  const [isOpen, setIsOpen] = useState(false)
  const [first] = group
  const show = hasMore ? strings.showPart : strings.showGroup
  return (
    <li className={classes.item} data-compact={me?.preferences.view_mode === 'compact' || undefined}>
      <ActivityIcon type={first.activity_type} />
      <div className={`${classes.sentence} break-anywhere`}>
        <ActivitySentence record={first} me={me?.email} others={group.length - 1} hasMore={hasMore} />
        {group.length > 1 && (
          <>
            {' '}
            <Anchor
              component="button"
              type="button"
              size="xs"
              fw={550}
              aria-expanded={isOpen}
              onClick={() => setIsOpen(!isOpen)}
            >
              {isOpen ? strings.hideGroup : show(formatNumber(group.length))}
            </Anchor>
          </>
        )}
        {isOpen && (
          <ul className={classes.list}>
            {group.map((record) => (
              <Text key={record.id} component="li" size="sm" py={2}>
                <ActivitySentence record={record} me={me?.email} />
              </Text>
            ))}
          </ul>
        )}
      </div>
      <When group={group} asClock={asClock} isOneAction={isOneAction} />
    </li>
  )
})

/** The time of the events. Links to their action, unless the group comes from several. */
function When({ group, asClock, isOneAction }: Omit<GroupItemProps, 'me' | 'hasMore'>) {
  const [{ timestamp, action_id: id }] = group
  const time = <Age timestamp={timestamp} asClock={asClock} c="dimmed" className={classes.time} />
  if (id === null || isOneAction || group.some((record) => record.action_id !== id)) return time
  return (
    <ScreenLink to="/activity/actions/$id" params={{ id }} className={classes.when}>
      {time}
      <VisuallyHidden>. {strings.viewAction}</VisuallyHidden>
    </ScreenLink>
  )
}
