import { Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { strings } from '#strings/home.ts'
import { ActivitySentence } from '#web/activity/activity-sentence.tsx'
import { queries } from '#web/api/queries.ts'
import { formatDayOfLastWeek } from '#web/format/days.ts'
import { Age } from '#web/ui/age.tsx'
import { ScreenLink } from '#web/ui/link.tsx'
import { changedRecords } from '../changed-records.ts'
import { homeQueries, MAX_ROWS } from '../home-queries.ts'
import { ListPanel, Row } from './list-panel.tsx'

interface ChangesPanelProps {
  /** The user's last visit on an earlier day; null: there was none. */
  since: string | null
}

/** What others have changed since the user was last here, by record. */
export function ChangesPanel({ since }: ChangesPanelProps) {
  const { data: me } = useQuery(queries.me())
  const query = useQuery(homeQueries.changes(since))
  const rows = query.data && changedRecords(query.data.data)
  return (
    <ListPanel
      title={since === null ? strings.changedLately : strings.changedSince(formatDayOfLastWeek(since))}
      query={query}
      rows={rows?.slice(0, MAX_ROWS)}
      link={
        <ScreenLink to="/activity" size="sm">
          {strings.allActivity}
        </ScreenLink>
      }
    >
      {({ latest, others, earlier }) => (
        <Row key={latest.id} meta={<Age timestamp={latest.timestamp} span inherit />}>
          <ActivitySentence record={latest} me={me?.email} others={others} />
          {earlier > 0 && (
            <Text span inherit c="dimmed">
              {' '}
              {strings.moreChanges(earlier)}
            </Text>
          )}
        </Row>
      )}
    </ListPanel>
  )
}
