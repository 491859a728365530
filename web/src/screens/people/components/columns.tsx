import { Anchor } from '@mantine/core'
import type { ReactNode } from 'react'
import { strings } from '#strings/people.ts'
import { strings as relationships } from '#strings/relationships.ts'
import { strings as tasks } from '#strings/tasks.ts'
import type { CompanyLink, Person } from '#web/api/service.ts'
import { age, day, userText, webAddress } from '#web/columns/cells.tsx'
import type { BuiltInColumn } from '#web/columns/columns-by-field.ts'
import { isPast } from '#web/fields/past-link.ts'
import { nameFromEmail, personName } from '#web/fields/people.ts'
import { TagChips } from '#web/fields/tag-chips.tsx'
import { mailAddress } from '#web/format/web-address.ts'
import { NextStepText } from '#web/tasks/next-step-text.tsx'
import type { Columns } from '#web/views/column-state.ts'
import classes from './people.module.css'

/** Renders a field of a person; nothing if it has no value. */
export type Cell = (person: Person) => ReactNode

/** The first column, which is always pinned and takes the space that others leave. */
export const NAME = 'name'

/** The columns that fit a laptop without scrolling sideways. */
export const DEFAULT_COLUMNS: Columns = ['company_id', 'emails', 'phones', 'tags', 'owner_email'].map(
  (field) => ({ field }),
)

/** The first of several values, and how many more there are. */
const firstOf = (values: readonly string[], render: (value: string) => ReactNode): ReactNode => {
  const [first, ...others] = values
  if (first === undefined) return null
  return valueAnd(render(first), others)
}

const valueAnd = (first: ReactNode, others: readonly string[]): ReactNode => (
  <span className={classes.values}>
    <span className={classes.value}>{first}</span>
    {others.length > 0 && (
      <span className={classes.more} title={others.join(', ')}>
        {strings.more(others.length)}
      </span>
    )}
  </span>
)

/** How the list shows the fields that every person has. */
export const BUILT_IN_COLUMNS: Record<string, BuiltInColumn<Cell>> = {
  [NAME]: { label: strings.name, width: 190, cell: ({ name }) => userText(name) },
  company_id: {
    label: strings.company,
    width: 240,
    maxWidth: 340,
    cell: ({ companies }) => {
      const [first, ...others] = companies
      return first && valueAnd(<CompanyText company={first} />, others.map(companyText))
    },
  },
  next_step_on: {
    label: tasks.nextStep,
    width: 200,
    maxWidth: 320,
    cell: ({ next_step }) => next_step && <NextStepText step={next_step} />,
  },
  last_contact_at: {
    isDescendingFirst: true,
    label: relationships.lastContact,
    width: 116,
    cell: ({ last_contact_at }) => last_contact_at && age(last_contact_at),
  },
  last_contact_by: {
    label: relationships.lastContactBy,
    width: 130,
    cell: ({ last_contact_by }) => last_contact_by && userText(nameFromEmail(last_contact_by)),
  },
  contacts_last_year: {
    isNumber: true,
    isDescendingFirst: true,
    label: relationships.contactsInYear,
    width: 130,
    cell: ({ contacts_last_year }) => contacts_last_year || null,
  },
  role: {
    label: strings.roles,
    width: 180,
    maxWidth: 260,
    cell: ({ companies }) => userText(companies.flatMap(({ role }) => role ?? []).join(', ')),
  },
  companies: {
    label: strings.numberOfCompanies,
    width: 110,
    isNumber: true,
    cell: ({ companies }) => companies.length,
  },
  emails: {
    label: strings.emails,
    width: 176,
    maxWidth: 280,
    cell: ({ emails }) =>
      firstOf(emails, (email) => (
        <Anchor href={mailAddress(email)} inherit title={email}>
          {email}
        </Anchor>
      )),
  },
  phones: {
    label: strings.phones,
    width: 124,
    cell: ({ phones }) =>
      firstOf(phones, (phone) => (
        <Anchor href={`tel:${phone}`} inherit title={phone}>
          {phone}
        </Anchor>
      )),
  },
  links: { label: strings.links, width: 180, cell: ({ links }) => firstOf(links, webAddress) },
  headline: { label: strings.headline, width: 240, cell: ({ headline }) => userText(headline) },
  location: {
    label: strings.location,
    width: 120,
    maxWidth: 180,
    cell: ({ location }) => userText(location),
  },
  tags: {
    label: strings.tags,
    width: 140,
    maxWidth: 180,
    cell: ({ tags }) =>
      tags.length > 0 && (
        <span className={classes.values}>
          <TagChips tags={tags} max={2} />
        </span>
      ),
  },
  owner_email: {
    label: strings.owner,
    width: 88,
    cell: ({ owner_email }) => owner_email && <bdi title={owner_email}>{personName(owner_email)}</bdi>,
  },
  updated_at: {
    isDescendingFirst: true,
    label: strings.updated,
    width: 128,
    cell: ({ updated_at }) => age(updated_at),
  },
  created_at: {
    isDescendingFirst: true,
    label: strings.created,
    width: 116,
    cell: ({ created_at }) => day(created_at),
  },
  id: { label: strings.id, width: 260, cell: ({ id }) => userText(id) },
}

/** A company with the role. */
const companyText = (link: CompanyLink): string => [link.name, ...detailsOf(link)].join(' · ')

/** The role, and the year in which the person left. */
const detailsOf = (link: CompanyLink): string[] => [
  ...(link.role ? [link.role] : []),
  ...(link.until && isPast(link) ? [strings.untilYear(link.until)] : []),
]

/** The same in a list. */
export const CompanyText = ({ company }: { company: CompanyLink }) => (
  <span title={companyText(company)}>
    <bdi>{company.name}</bdi>
    {detailsOf(company).map((detail) => (
      <span key={detail} className={classes.role}>
        {' · '}
        <bdi>{detail}</bdi>
      </span>
    ))}
  </span>
)
