import { Fragment, type ReactNode } from 'react'
import type { Note } from '#web/api/service.ts'
import { aboutName } from '#web/fields/about-name.ts'
import { ScreenLink } from '#web/ui/link.tsx'

type AboutEntry = Note['about'][number]
type Participant = Note['participants'][number]

/** Links to the records that a note is about. */
export const AboutLinks = ({ about }: { about: readonly AboutEntry[] }) => (
  <Joined items={about.map((entry) => [entry.id, <AboutLink key={entry.id} entry={entry} />])} />
)

/** Links to the people who took part. */
export const ParticipantLinks = ({ people }: { people: readonly Participant[] }) => (
  <Joined
    items={people.map((person) => [
      person.id,
      <AboutLink key={person.id} entry={{ ...person, type: 'person' }} />,
    ])}
  />
)

const Joined = ({ items }: { items: [key: string, item: ReactNode][] }) =>
  items.map(([key, item], index) => (
    <Fragment key={key}>
      {index > 0 && ', '}
      {item}
    </Fragment>
  ))

const LINK = { inherit: true, dir: 'auto', underline: 'always', className: 'break-anywhere' } as const

function AboutLink({ entry }: { entry: AboutEntry }) {
  const { type, id } = entry
  const name = aboutName(entry)
  if (type === 'company')
    return (
      <ScreenLink to="/companies/$id" params={{ id }} {...LINK}>
        {name}
      </ScreenLink>
    )
  if (type === 'deal')
    return (
      <ScreenLink to="/deals/$id" params={{ id }} {...LINK}>
        {name}
      </ScreenLink>
    )
  if (type === 'thesis')
    return (
      <ScreenLink to="/theses/$id" params={{ id }} {...LINK}>
        {name}
      </ScreenLink>
    )
  return (
    <ScreenLink to="/people/$id" params={{ id }} {...LINK}>
      {name}
    </ScreenLink>
  )
}
