import { Text } from '@mantine/core'
import { strings } from '#strings/company.ts'
import { ActivityTimeline } from '#web/activity/activity-timeline.tsx'
import type { Activity } from '#web/api/service.ts'
import { ScreenLink } from '#web/ui/link.tsx'
import { Section } from './section.tsx'

/** The latest activity of the company and its deals. */
export function CompanyActivity({ id, records }: { id: string; records: Activity[] }) {
  return (
    <Section
      title={strings.activity}
      actions={
        <ScreenLink to="/activity" search={{ entity_id: id }} size="sm">
          {strings.allActivity}
        </ScreenLink>
      }
    >
      {records.length === 0 ? (
        <Text size="sm" c="dimmed">
          {strings.noActivity}
        </Text>
      ) : (
        <ActivityTimeline records={records} order={3} />
      )}
    </Section>
  )
}
