import { Group, Text } from '@mantine/core'
import { IconArrowLeft } from '@tabler/icons-react'
import { strings as general } from '#strings/general.ts'
import { strings as history } from '#strings/history.ts'
import { strings } from '#strings/people.ts'
import { History } from '#web/activity/history.tsx'
import type { Person } from '#web/api/service.ts'
import { BroughtDeals } from '#web/deals/brought-deals.tsx'
import { isPast } from '#web/fields/past-link.ts'
import { RecordFiles } from '#web/files/record-files.tsx'
import { FollowButton } from '#web/follows/follow-button.tsx'
import { formatAge, formatMoment } from '#web/format/format.ts'
import { PersonRelationships } from '#web/relationships/relationships.tsx'
import { lastPeopleSearch } from '#web/screens/people/people-search.ts'
import { NextStepLine } from '#web/tasks/next-step-line.tsx'
import { RecordTasks } from '#web/tasks/record-tasks.tsx'
import { useComposer } from '#web/timeline/composer.tsx'
import { PrintedTimeline, Timeline } from '#web/timeline/timeline.tsx'
import { Facts } from '#web/ui/facts.tsx'
import { ScreenLink } from '#web/ui/link.tsx'
import { Monogram } from '#web/ui/monogram.tsx'
import { Page } from '#web/ui/page.tsx'
import { ABOUT, RecordLayout } from '#web/ui/record-layout.tsx'
import { useTab } from '#web/ui/use-tab.ts'
import { FIELDS } from '../person-fields.ts'
import { PersonActions } from './person-actions.tsx'
import { PersonCompanies } from './person-companies.tsx'
import { PersonField } from './person-field.tsx'
import { PersonProperties } from './person-properties.tsx'
import { SamePeople } from './same-people.tsx'

const TABS = ['timeline', ABOUT, 'history'] as const

/** The person: their timeline and history, and beside them their fields and companies. */
export function PersonPage({ person, onDeleted }: { person: Person; onDeleted: () => void }) {
  const { id, name } = person
  const [tab, show] = useTab(TABS)
  const about = { type: 'person', id, name } as const
  const composer = useComposer({ about })
  return (
    <>
      {composer.dialog}
      <Group mb="xs" className="print-hidden">
        <ScreenLink to="/people" search={lastPeopleSearch()} size="sm">
          <Group gap={4} component="span">
            <IconArrowLeft size={14} aria-hidden />
            {strings.toPeople}
          </Group>
        </ScreenLink>
      </Group>
      <Page
        title={name}
        mark={<Monogram name={name} size={44} isPerson />}
        heading={<PersonName person={person} />}
        description={
          <>
            <PersonSummary person={person} />
            <NextStepLine step={person.next_step} add={composer.addTask} />
          </>
        }
        actions={
          <>
            <FollowButton type="person" id={id} />
            <PersonActions person={person} onDeleted={onDeleted} />
          </>
        }
      >
        <SamePeople person={person} />
        <RecordLayout
          label={strings.sections}
          tab={tab}
          show={show}
          tabs={[
            {
              value: 'timeline',
              label: general.timeline,
              content: <Timeline of="person" composer={composer} />,
            },
            { value: 'history', label: history.title, content: <History of="person" id={id} /> },
          ]}
          rail={
            <>
              <PersonProperties person={person} />
              <RecordTasks id={id} add={composer.addTask} />
              <RecordFiles about={about} add={composer.addFiles} />
              <PersonCompanies person={person} />
              <PersonRelationships id={id} />
              <BroughtDeals id={id} />
            </>
          }
        >
          <PrintedTimeline of="person" composer={composer} />
        </RecordLayout>
      </Page>
    </>
  )
}

const PersonName = ({ person }: { person: Person }) => (
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
)

/** The headline, the present company, and the time of the last change. */
function PersonSummary({ person }: { person: Person }) {
  const { headline, location, companies, updated_at } = person
  const present = companies.filter((link) => !isPast(link))
  const company = present.find(({ is_primary }) => is_primary) ?? present[0]
  return (
    <>
      <PersonField
        person={person}
        field={FIELDS.headline}
        hideLabel
        display={
          <Text span size="sm" c={headline ? 'var(--mantine-color-text)' : 'dimmed'}>
            {headline ?? strings.addHeadline}
          </Text>
        }
      />
      <Facts
        facts={[
          company && (
            <span key="company" dir="auto">
              {company.role && `${company.role}, `}
              <ScreenLink to="/companies/$id" params={{ id: company.company_id }} inherit underline="always">
                {company.name}
              </ScreenLink>
            </span>
          ),
          location && <bdi key="location">{location}</bdi>,
        ]}
        onScreen={<span title={formatMoment(updated_at)}>{strings.changed(formatAge(updated_at))}</span>}
      />
    </>
  )
}
