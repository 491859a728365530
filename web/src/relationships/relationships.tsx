import { Anchor, Group, Progress, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { strings } from '#strings/relationships.ts'
import { queries } from '#web/api/queries.ts'
import { relationshipQueries } from '#web/api/relationship-queries.ts'
import type { CompanyRelationship, Relationship } from '#web/api/service.ts'
import { personName } from '#web/fields/people.ts'
import { formatMonthHeading } from '#web/format/days.ts'
import { Age } from '#web/ui/age.tsx'
import { ScreenLink } from '#web/ui/link.tsx'
import { Section } from '#web/ui/section.tsx'

const SHOWN = 3

/** Who knows a company: the warmest path first. Nothing while nobody had a contact. */
export function CompanyRelationships({ id }: { id: string }) {
  const { data } = useQuery(relationshipQueries.ofCompany(id))
  if (!data || data.data.length === 0) return null
  return <Relationships relationships={data.data} path={data.data[0]} />
}

/** Who knows a person. Nothing while nobody had a contact. */
export function PersonRelationships({ id }: { id: string }) {
  const { data } = useQuery(relationshipQueries.ofPerson(id))
  if (!data || data.data.length === 0) return null
  return <Relationships relationships={data.data} />
}

interface RelationshipsProps {
  relationships: readonly Relationship[]
  /** The strongest one with a company. */
  path?: CompanyRelationship | undefined
}

function Relationships({ relationships, path }: RelationshipsProps) {
  const [showsAll, setShowsAll] = useState(false)
  const users = useQuery(queries.allUsers()).data ?? []
  const shown = showsAll ? relationships : relationships.slice(0, SHOWN)
  return (
    <Section title={strings.title}>
      {path && <WarmestPath path={path} name={personName(path.user_email, users)} />}
      <Stack gap="xs" component="ul" m={0} p={0} style={{ listStyle: 'none' }}>
        {shown.map((one) => (
          <Strength key={one.user_email} relationship={one} name={personName(one.user_email, users)} />
        ))}
      </Stack>
      {relationships.length > SHOWN && (
        <Anchor
          component="button"
          type="button"
          size="sm"
          className="print-hidden"
          style={{ alignSelf: 'flex-start' }}
          aria-expanded={showsAll}
          onClick={() => setShowsAll(!showsAll)}
        >
          {showsAll ? strings.showFewer : strings.showAll(relationships.length)}
        </Anchor>
      )}
    </Section>
  )
}

/** Such as "Ada had 3 meetings in the last year with Ingrid Solberg, last contact in May 2026". */
function WarmestPath({ path, name }: { path: CompanyRelationship; name: string }) {
  const { person_id, person_name } = path
  const withPerson = person_id !== null
  const meetings = withPerson ? path.person_meetings_last_year : path.meetings_last_year
  const contacts = withPerson ? path.person_contacts_last_year : path.contacts_last_year
  const last = (withPerson && path.person_last_contact_at) || path.last_contact_at
  return (
    <Text size="sm" className="break-anywhere">
      <b>{strings.warmestPath}:</b> {strings.path(meetings, contacts, name)}
      {person_id !== null && (
        <>
          {' '}
          {strings.with}{' '}
          <ScreenLink to="/people/$id" params={{ id: person_id }} inherit underline="always" dir="auto">
            {person_name}
          </ScreenLink>
        </>
      )}
      {path.role && ` (${path.role})`}
      {strings.last(formatMonthHeading(last))}
    </Text>
  )
}

function Strength({ relationship, name }: { relationship: Relationship; name: string }) {
  const { strength, contacts_last_year, last_contact_at } = relationship
  return (
    <li>
      <Group justify="space-between" gap="xs" wrap="nowrap">
        <Text size="sm" truncate dir="auto">
          {name}
        </Text>
        <Text size="xs" c="dimmed" style={{ whiteSpace: 'nowrap' }}>
          {strings.inYear(contacts_last_year)} · <Age timestamp={last_contact_at} span inherit />
        </Text>
      </Group>
      <Group gap="xs" wrap="nowrap">
        <Progress.Root size="sm" flex={1}>
          <Progress.Section value={strength} aria-label={strings.strength(name, strength)} />
        </Progress.Root>
        <Text size="xs" w={28} ta="end" style={{ fontVariantNumeric: 'tabular-nums' }} aria-hidden>
          {strength}
        </Text>
      </Group>
    </li>
  )
}
