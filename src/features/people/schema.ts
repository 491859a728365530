import { type Static, type TObject, Type } from 'typebox'
import { historyEndpoint } from '#src/features/activity/schema.ts'
import { Tags } from '#src/features/companies/tag-schema.ts'
import { contactExample, contactNames, contactProperties } from '#src/features/contacts/schema.ts'
import { CustomValues } from '#src/features/fields/schema.ts'
import { nextStepExample, nextStepNames, nextStepProperties } from '#src/features/next-steps/schema.ts'
import { deleted, gone, idPath, MovedAnswer } from '#src/features/trash/schema.ts'
import {
  filterParameter,
  repeatedFilter,
  repeatedUserFilter,
  sortParameter,
} from '#src/platform/filter/schema.ts'
import { EmailAddress, UserEmail } from '#src/platform/schema/email-address.ts'
import {
  Data,
  endpoint,
  IfMatch,
  Named,
  Nullable,
  Page,
  Patch,
  pageQuery,
  Strict,
  Timestamp,
} from '#src/platform/schema/shapes.ts'
import {
  CompanyLink,
  companyLinkExample,
  LinkedCompany,
  linkProperties,
  MAX_COMPANIES_OF_PERSON,
} from './link-schema.ts'

export const MAX_PERSON_NAME_LENGTH = 300
export const MAX_CONTACT_DETAILS = 20
const MAX_LINK_LENGTH = 2000
const MAX_PHONE_LENGTH = 64

const shortText = (maxLength: number) => Type.String({ minLength: 1, maxLength, pattern: '\\S' })

/** The writable fields. */
export const personProperties = {
  name: { ...shortText(MAX_PERSON_NAME_LENGTH), 'x-normalize': 'name' },
  emails: Type.Array(Type.String({ ...EmailAddress, 'x-normalize': 'email' }), {
    maxItems: MAX_CONTACT_DETAILS,
    description: `Up to ${MAX_CONTACT_DETAILS} addresses. Stored in lower case, without duplicates.`,
  }),
  phones: Type.Array(shortText(MAX_PHONE_LENGTH), {
    maxItems: MAX_CONTACT_DETAILS,
    description:
      'Stored as E.164, such as +4930123456. A national number is read as one of the country of the primary company.',
  }),
  links: Type.Array(Type.String({ maxLength: MAX_LINK_LENGTH, format: 'web-address' }), {
    maxItems: MAX_CONTACT_DETAILS,
    description: 'Web addresses, such as those of profiles.',
  }),
  headline: Nullable(shortText(300)),
  location: Nullable(shortText(200)),
  tags: Tags,
  owner_email: Nullable(UserEmail),
  custom: CustomValues,
}

export const Person = Named('Person', {
  id: Type.String(),
  ...personProperties,
  companies: Type.Array(CompanyLink, {
    description: 'The primary company first, then present ones, then past ones.',
  }),
  ...contactProperties,
  ...nextStepProperties,
  created_at: Timestamp,
  updated_at: Timestamp,
})
export type Person = Static<typeof Person>

export const personExample: Person = {
  id: 'per_01jw3f8x67q4e6g8j0m2p4r6t8',
  name: 'Ingrid Solberg',
  emails: ['ingrid@nordlys-robotics.example'],
  phones: ['+4773590000'],
  links: ['https://www.linkedin.com/in/ingrid-solberg-example'],
  headline: 'Founder of Nordlys Robotics',
  location: 'Trondheim',
  tags: ['Founder'],
  owner_email: 'ada@example.com',
  custom: {},
  companies: [companyLinkExample],
  ...contactExample,
  ...nextStepExample,
  created_at: '2026-03-02T09:30:00.000Z',
  updated_at: '2026-03-02T09:30:00.000Z',
}

/** The query parameters that select people. */
export const personFilters = {
  search: Type.Optional(
    Type.String({
      'x-normalize': 'text',
      maxLength: 1000,
      description:
        'Words that the name, the headline, an email address, or the name of a present or past company contains, in any order, also inside words; or at least four digits of a phone number, in any notation. Case, accents, and spellings such as "oe" for "ö" are ignored.',
    }),
  ),
  company_id: repeatedFilter({ description: 'A company that the person is linked to.' }),
  owner_email: repeatedUserFilter(),
  tags: repeatedFilter({ description: 'A tag that the person has.' }),
  filter: filterParameter,
}
export type PersonFilters = Static<TObject<typeof personFilters>>

export const PersonQuery = Strict(Type.Object({ ...pageQuery(), ...personFilters, sort: sortParameter() }))
export type PersonQuery = Static<typeof PersonQuery>

const { name, ...optionalFields } = personProperties

export const NewPerson = Strict(
  Type.Object(
    {
      name,
      ...Type.Partial(Type.Object(optionalFields)).properties,
      companies: Type.Optional(
        Type.Array(Strict(Type.Object({ company_id: LinkedCompany, ...linkProperties })), {
          maxItems: MAX_COMPANIES_OF_PERSON,
          description: 'The companies that the person is linked to. At most one is the primary one.',
        }),
      ),
    },
    {
      title: 'NewPerson',
      examples: [
        {
          name: personExample.name,
          emails: personExample.emails,
          companies: [
            { company_id: companyLinkExample.company_id, role: companyLinkExample.role, is_primary: true },
          ],
        },
      ],
    },
  ),
)
export type NewPerson = Static<typeof NewPerson>

/** Fields that a PATCH ignores. Companies have requests of their own. */
export const PERSON_READ_ONLY = [
  'id',
  'companies',
  'link',
  'possible_duplicates',
  ...contactNames,
  ...nextStepNames,
  'created_at',
  'updated_at',
] as const

export const PersonPatch = {
  ...Patch(personProperties, PERSON_READ_ONLY),
  title: 'PersonPatch',
  examples: [{ headline: 'Board member' }],
}
export type PersonPatch = Static<typeof PersonPatch>

const path = idPath('The id of a person: per_…')
const tags = ['People']

export const listPeople = endpoint('GET', '/api/people', {
  operationId: 'listPeople',
  'x-action': 'read',
  tags,
  summary: 'List and search people',
  description: 'Newest first by default. The total is exact.',
  querystring: PersonQuery,
  response: { 200: Page(Person, personExample) },
})

export const getPerson = endpoint('GET', '/api/people/:id', {
  operationId: 'getPerson',
  'x-action': 'read',
  tags,
  summary: 'Read a person',
  description: 'With the companies that they are linked to.',
  params: path,
  querystring: Strict(
    Type.Object({
      as_of: Type.Optional(
        Type.String({
          format: 'date-time',
          description:
            'Show the person and the companies as they were at this time. 404 before they existed.',
        }),
      ),
    }),
  ),
  response: { 200: Data(Person, personExample), 301: MovedAnswer },
})

export const updatePerson = endpoint('PATCH', '/api/people/:id', {
  operationId: 'updatePerson',
  'x-action': 'write',
  tags,
  summary: 'Change a person',
  description:
    'Fields that are not sent keep their values. null clears a field. `PUT /api/companies/:id/people/:person_id` changes companies.',
  headers: IfMatch,
  params: path,
  body: PersonPatch,
  response: { 200: Data(Person, personExample) },
})

const { schema, ...address } = historyEndpoint(
  '/api/people/:id/history',
  'getPersonHistory',
  'People',
  'person',
)
export const getPersonHistory = {
  ...address,
  schema: { ...schema, response: { ...schema.response, 301: MovedAnswer } },
}

export const deletePerson = endpoint('DELETE', '/api/people/:id', {
  operationId: 'deletePerson',
  'x-action': 'delete',
  tags,
  summary: 'Delete a person',
  description: `${deleted('person')} The links to companies come back too.`,
  params: path,
  response: gone,
})
