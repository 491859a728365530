import { Anchor, Stack, Text, Title, type TitleOrder } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { strings } from '#strings/activity.ts'
import { queries } from '#web/service/queries.ts'
import type { Activity, CurrentUser } from '#web/service/service.ts'
import { Age } from '#web/ui/age.tsx'
import { formatDayHeading } from '#web/words/days.ts'
import { formatNumber } from '#web/words/format.ts'
import { ActivityIcon } from './activity-icon.tsx'
import { type ActivityRun, runsOf } from './activity-runs.ts'
import { ActivitySentence } from './activity-sentence.tsx'
import classes from './activity-timeline.module.css'

interface ActivityTimelineProps {
  /** Newest first. */
  records: readonly Activity[]
  /** Of the headings that name the days. */
  order?: TitleOrder
}

/** What happened, day by day; what one action did to many companies is one entry that can be opened. */
export function ActivityTimeline({ records, order = 2 }: ActivityTimelineProps) {
  const days = Map.groupBy(records, (record) => formatDayHeading(record.timestamp))
  return (
    <Stack gap="lg">
      {[...days].map(([day, ofDay]) => (
        <section key={day}>
          <Title order={order} size="h6" c="dimmed" mb={4}>
            {day}
          </Title>
          <ActivityList runs={runsOf(ofDay)} asClock />
        </section>
      ))}
    </Stack>
  )
}

/** The same without days. */
export function ActivityList({ runs, asClock = false }: { runs: ActivityRun[]; asClock?: boolean }) {
  const { data: me } = useQuery(queries.me())
  return (
    <ol className={classes.list}>
      {runs.map((run) => (
        <RunItem key={run[0].id} run={run} me={me} asClock={asClock} />
      ))}
    </ol>
  )
}

interface RunItemProps {
  run: ActivityRun
  me: CurrentUser | undefined
  asClock: boolean
}

function RunItem({ run, me, asClock }: RunItemProps) {
  const [isOpen, setIsOpen] = useState(false)
  const [first] = run
  return (
    <li className={classes.item} data-compact={me?.preferences.view_mode === 'compact' || undefined}>
      <ActivityIcon type={first.activity_type} />
      <div className={`${classes.sentence} break-anywhere`}>
        <ActivitySentence record={first} me={me?.email} others={run.length - 1} />
        {run.length > 1 && (
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
              {isOpen ? strings.hideRun : strings.showRun(formatNumber(run.length))}
            </Anchor>
          </>
        )}
        {isOpen && (
          <ul className={classes.list}>
            {run.map((record) => (
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
