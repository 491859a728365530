import { Box, Group, Stack, Tabs, Text } from '@mantine/core'
import { IconArrowLeft } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { strings as history } from '#strings/history.ts'
import { strings } from '#strings/people.ts'
import { ActivityTimeline } from '#web/activity/activity-timeline.tsx'
import { History } from '#web/activity/history.tsx'
import { queries } from '#web/api/queries.ts'
import type { Person } from '#web/api/service.ts'
import { formatAge, formatMoment } from '#web/format/format.ts'
import { lastPeopleSearch } from '#web/screens/people/people-search.ts'
import { ScreenLink } from '#web/ui/link.tsx'
import { Monogram } from '#web/ui/monogram.tsx'
import { Page } from '#web/ui/page.tsx'
import classes from '#web/ui/record-page.module.css'
import { Section } from '#web/ui/section.tsx'
import { ErrorState, SkeletonLines } from '#web/ui/states.tsx'
import { useTab } from '#web/ui/use-tab.ts'
import { FIELDS } from '../person-fields.ts'
import { PersonActions } from './person-actions.tsx'
import { PersonCompanies } from './person-companies.tsx'
import { PersonDetails } from './person-details.tsx'
import { PersonField } from './person-field.tsx'

const TABS = ['overview', 'history'] as const
const LABELS = { overview: strings.overview, history: history.title }
const MAX_ACTIVITY = 20

/** The person in two columns: their fields and companies on the left, activity on the right. */
export function PersonPage({ person, onDeleted }: { person: Person; onDeleted: () => void }) {
  const [tab, show] = useTab(TABS)
  return (
    <>
      <Group mb="xs" className="print-hidden">
        <ScreenLink to="/people" search={lastPeopleSearch()} size="sm">
          <Group gap={4} component="span">
            <IconArrowLeft size={14} aria-hidden />
            {strings.toPeople}
          </Group>
        </ScreenLink>
      </Group>
      <Page
        title={person.name}
        heading={<PersonName person={person} />}
        description={<PersonSummary person={person} />}
        actions={<PersonActions person={person} onDeleted={onDeleted} />}
      >
        <div className={`${classes.columns} print-single-column`}>
          <Tabs
            value={tab}
            onChange={(value) => show(TABS.find((one) => one === value) ?? 'overview')}
            keepMounted={false}
          >
            <Tabs.List aria-label={strings.sections} mb="md" className={classes.tabs}>
              {TABS.map((value) => (
                <Tabs.Tab key={value} value={value}>
                  {LABELS[value]}
                </Tabs.Tab>
              ))}
            </Tabs.List>
            <Tabs.Panel value="overview">
              <Stack gap="md">
                <PersonDetails person={person} />
                <PersonCompanies person={person} />
              </Stack>
            </Tabs.Panel>
            <Tabs.Panel value="history">
              <History of="person" id={person.id} />
            </Tabs.Panel>
          </Tabs>
          <div className="print-hidden">
            <PersonActivity id={person.id} />
          </div>
        </div>
      </Page>
    </>
  )
}

/** The name as the heading, with the initials. */
function PersonName({ person }: { person: Person }) {
  return (
    <Group gap="sm" wrap="nowrap">
      <Monogram name={person.name} size={36} isPerson />
      <Box flex={1} miw={0}>
        <PersonField
          person={person}
          field={FIELDS.name}
          hideLabel
          display={
            <Text span inherit lineClamp={3} title={person.name}>
              {person.name}
            </Text>
          }
        />
      </Box>
    </Group>
  )
}

/** The headline, and the time of the last change. */
function PersonSummary({ person }: { person: Person }) {
  return (
    <Stack gap={2} mt={4}>
      <PersonField
        person={person}
        field={FIELDS.headline}
        hideLabel
        display={
          <Text span size="sm" c={person.headline ? 'var(--mantine-color-text)' : 'dimmed'}>
            {person.headline ?? strings.addHeadline}
          </Text>
        }
      />
      <Text size="sm" c="dimmed" title={formatMoment(person.updated_at)}>
        {strings.changed(formatAge(person.updated_at))}
      </Text>
    </Stack>
  )
}

/** The latest activity. */
function PersonActivity({ id }: { id: string }) {
  const activity = useQuery(queries.activity({ entity_id: id, limit: MAX_ACTIVITY }))
  const records = activity.data?.data ?? []
  return (
    <Section
      title={strings.activity}
      actions={
        <ScreenLink to="/activity" search={{ entity_id: id }} size="sm">
          {strings.allActivity}
        </ScreenLink>
      }
    >
      {activity.isPending && <SkeletonLines />}
      {activity.isError && !activity.data && (
        <ErrorState error={activity.error} retry={() => activity.refetch()} />
      )}
      {activity.data && records.length === 0 && (
        <Text size="sm" c="dimmed">
          {strings.noActivity}
        </Text>
      )}
      {records.length > 0 && <ActivityTimeline records={records} order={3} />}
    </Section>
  )
}
