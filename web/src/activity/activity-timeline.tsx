import { Anchor, Stack, Text, Title, type TitleOrder } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { strings } from '#strings/activity.ts'
import { queries } from '#web/service/queries.ts'
import type { Activity, CurrentUser } from '#web/service/service.ts'
import { Age } from '#web/ui/age.tsx'
import { formatDayHeading } from '#web/words/days.ts'
import { formatNumber } from '#web/words/format.ts'
import { type ActivityGroup, groupActivity } from './activity-groups.ts'
import { ActivityIcon } from './activity-icon.tsx'
import { ActivitySentence } from './activity-sentence.tsx'
import classes from './activity-timeline.module.css'

interface ActivityTimelineProps {
  /** Newest first. */
  records: readonly Activity[]
  /** The level of the day headings. */
  order?: TitleOrder
}

/** Events by day. What one action did to many companies is one expandable entry. */
export function ActivityTimeline({ records, order = 2 }: ActivityTimelineProps) {
  const days = Map.groupBy(records, (record) => formatDayHeading(record.timestamp))
  return (
    <Stack gap="lg">
      {[...days].map(([day, ofDay]) => (
        <section key={day}>
          <Title order={order} size="h6" c="dimmed" mb={4}>
            {day}
          </Title>
          <ActivityList groups={groupActivity(ofDay)} asClock />
        </section>
      ))}
    </Stack>
  )
}

/** The same without day headings. */
export function ActivityList({ groups, asClock = false }: { groups: ActivityGroup[]; asClock?: boolean }) {
  const { data: me } = useQuery(queries.me())
  return (
    <ol className={classes.list}>
      {groups.map((group) => (
        <GroupItem key={group[0].id} group={group} me={me} asClock={asClock} />
      ))}
    </ol>
  )
}

interface GroupItemProps {
  group: ActivityGroup
  me: CurrentUser | undefined
  asClock: boolean
}

function GroupItem({ group, me, asClock }: GroupItemProps) {
  const [isOpen, setIsOpen] = useState(false)
  const [first] = group
  return (
    <li className={classes.item} data-compact={me?.preferences.view_mode === 'compact' || undefined}>
      <ActivityIcon type={first.activity_type} />
      <div className={`${classes.sentence} break-anywhere`}>
        <ActivitySentence record={first} me={me?.email} others={group.length - 1} />
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
              {isOpen ? strings.hideGroup : strings.showGroup(formatNumber(group.length))}
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
      <Age timestamp={first.timestamp} asClock={asClock} c="dimmed" className={classes.time} />
    </li>
  )
}
