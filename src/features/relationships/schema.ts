import { type Static, Type } from 'typebox'
import { CompanyPath } from '#src/features/companies/schema.ts'
import { CONTACT_KINDS } from '#src/features/contacts/schema.ts'
import { idPath, MovedAnswer } from '#src/features/trash/schema.ts'
import { endpoint, Named, Nullable, Page, pageQuery, Strict, Timestamp } from '#src/platform/schema/shapes.ts'

/** What a contact of each kind counts on the day it happens. */
export const POINTS = { meeting: 3, call: 2, email: 1 } as const
/** After so many days, a contact counts half. */
export const HALF_LIFE_DAYS = 90
/** So many points are a strength of 50, twice as many one of 75, and so on. */
export const POINTS_OF_HALF = 6

const count = (description: string) => Type.Integer({ minimum: 0, description })

const properties = {
  user_email: Type.String({ description: 'The author of the notes about the contacts.' }),
  last_contact_at: Timestamp,
  last_contact_kind: Type.Enum([...CONTACT_KINDS]),
  contacts: count('All contacts. A note is counted once.'),
  contacts_last_year: count('Those of the last 365 days.'),
  meetings_last_year: count('The meetings of the last 365 days.'),
  strength: Type.Integer({
    minimum: 0,
    maximum: 100,
    description: `100 × (1 − 2^(−points / ${POINTS_OF_HALF})). A meeting is ${POINTS.meeting} points, a call ${POINTS.call}, and an email ${POINTS.email}; each halves every ${HALF_LIFE_DAYS} days.`,
  }),
}

const Relationship = Named('Relationship', properties)
export type Relationship = Static<typeof Relationship>

const CompanyRelationship = Named('CompanyRelationship', {
  ...properties,
  person_id: Nullable(
    Type.String({
      description:
        'The present person of the company whom the colleague knows best. Null: all contacts are with the company itself.',
    }),
  ),
  person_name: Nullable(Type.String()),
  role: Nullable(Type.String({ description: 'What the person does at the company.' })),
  person_last_contact_at: Nullable({ ...Timestamp, description: 'The last contact with this person.' }),
  person_contacts_last_year: count('The contacts with this person in the last 365 days.'),
  person_meetings_last_year: count('The meetings with this person in the last 365 days.'),
})
export type CompanyRelationship = Static<typeof CompanyRelationship>

const example: Relationship = {
  user_email: 'ada@example.com',
  last_contact_at: '2026-05-11T09:00:00.000Z',
  last_contact_kind: 'meeting',
  contacts: 9,
  contacts_last_year: 6,
  meetings_last_year: 3,
  strength: 58,
}
const tags = ['Relationships']
const querystring = Strict(Type.Object(pageQuery(1000)))

export const listPersonRelationships = endpoint('GET', '/api/people/:id/relationships', {
  operationId: 'listPersonRelationships',
  'x-action': 'read',
  tags,
  summary: 'List who knows a person',
  description:
    'The colleagues who had calls, meetings, or email exchanges with the person, the strongest relationship first. Private ' +
    'notes and those for later do not count, for nobody.',
  params: idPath('The id of a person: per_…'),
  querystring,
  response: { 200: Page(Relationship, example), 301: MovedAnswer },
})

export const listCompanyRelationships = endpoint('GET', '/api/companies/:id/relationships', {
  operationId: 'listCompanyRelationships',
  'x-action': 'read',
  tags,
  summary: 'List who knows a company',
  description:
    'The colleagues who had contacts with the company, its deals, or its present people, the strongest relationship first, ' +
    'each with the person whom they know best.',
  params: CompanyPath,
  querystring,
  response: {
    200: Page(CompanyRelationship, {
      ...example,
      person_id: 'per_01jw3f8x67q4e6g8j0m2p4r6t8',
      person_name: 'Ingrid Solberg',
      role: 'Chief Executive Officer',
      person_last_contact_at: '2026-05-11T09:00:00.000Z',
      person_contacts_last_year: 4,
      person_meetings_last_year: 3,
    }),
    301: MovedAnswer,
  },
})
