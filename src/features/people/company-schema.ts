import { type Static, Type } from 'typebox'
import { companyIds, selectedCompanies } from '#src/features/companies/bulk-change/bulk-change-schema.ts'
import { CompanyPath } from '#src/features/companies/schema.ts'
import { filterExample } from '#src/platform/filter/schema.ts'
import {
  Data,
  ErrorAnswer,
  endpoint,
  Named,
  Nullable,
  Page,
  pageQuery,
  Strict,
} from '#src/platform/schema/shapes.ts'
import { CompanyLink, companyLinkExample, Link, MAX_COMPANIES_OF_PERSON, NewLink } from './link-schema.ts'
import { Person, personExample } from './schema.ts'

const CompanyPerson = Named('CompanyPerson', {
  ...Person.properties,
  link: { ...Link, description: 'How the person is linked to this company.' },
})

const { role, from, until, is_primary } = companyLinkExample
const companyPersonExample = { ...personExample, link: { role, from, until, is_primary } }

const path = Type.Object({
  ...CompanyPath.properties,
  person_id: Type.String({ description: 'The id of a person: per_…' }),
})
const tags = ['People']

export const listCompanyPeople = endpoint('GET', '/api/companies/:id/people', {
  operationId: 'listCompanyPeople',
  'x-action': 'read',
  tags,
  summary: 'List the people of a company',
  description:
    'Those whose primary company it is first, then others who are there now, then those who were, each by name.',
  params: CompanyPath,
  querystring: Strict(Type.Object(pageQuery(1000))),
  response: { 200: Page(CompanyPerson, companyPersonExample) },
})

export const linkPerson = endpoint('PUT', '/api/companies/:id/people/:person_id', {
  operationId: 'linkPerson',
  'x-action': 'write',
  tags,
  summary: 'Link a person to a company',
  description:
    'Replaces the link if there is one: fields that are not sent become empty. A person has at most one primary company, so ' +
    '`is_primary` ends that of another one.',
  params: path,
  body: NewLink,
  response: {
    200: Data(CompanyLink, companyLinkExample),
    409: ErrorAnswer(`The person is linked to ${MAX_COMPANIES_OF_PERSON} companies.`),
  },
})

export const unlinkPerson = endpoint('DELETE', '/api/companies/:id/people/:person_id', {
  operationId: 'unlinkPerson',
  'x-action': 'write',
  tags,
  summary: 'Remove the link of a person to a company',
  description: 'The person and the company remain.',
  params: path,
  response: { 204: Type.Null({ description: 'Done.' }) },
})

export const PeopleOfExecutives = Named('PeopleOfExecutives', {
  created: Type.Integer({ description: 'The number of people that were created.' }),
  existing: Type.Integer({ description: 'The number of executives who are people of the company already.' }),
  skipped: Type.Integer({ description: 'The number of entries without a usable name.' }),
})
export type PeopleOfExecutives = Static<typeof PeopleOfExecutives>

export const createPeopleFromExecutives = endpoint('POST', '/api/companies/:id/people/from-executives', {
  operationId: 'createPeopleFromExecutives',
  'x-action': 'write',
  tags,
  summary: 'Create people from the executives of a company',
  description:
    'Creates a person for each of `executives` and links them with the title as role and this as the primary company. An executive whose name a person of the ' +
    'company has, apart from case and accents, is not created again. `executives` stays as it is.',
  params: CompanyPath,
  response: { 200: Data(PeopleOfExecutives, { created: 2, existing: 1, skipped: 0 }) },
})

const PeopleOfCompanies = Named('PeopleOfCompanies', {
  action_id: Nullable(
    Type.String({
      description: 'POST /api/actions/:id/undo reverts the creation. null if nobody was created.',
    }),
  ),
  companies: Type.Integer({ description: 'The number of selected companies.' }),
  ...PeopleOfExecutives.properties,
})
export type PeopleOfCompanies = Static<typeof PeopleOfCompanies>

const ExecutivesOfCompanies = Strict(
  Type.Object(
    { ids: companyIds, ...selectedCompanies },
    { title: 'ExecutivesOfCompanies', examples: [{ filter: filterExample, expect: 120 }] },
  ),
)
export type ExecutivesOfCompanies = Static<typeof ExecutivesOfCompanies>

export const createPeopleOfCompanies = endpoint('POST', '/api/people/from-executives', {
  operationId: 'createPeopleOfCompanies',
  'x-action': 'write',
  'x-idempotency': 'batched',
  tags,
  summary: 'Create people from the executives of many companies',
  description:
    'Does what `POST /api/companies/:id/people/from-executives` does, for the companies with the ids, or for those that match ' +
    'filter and search: for all of them or none, as one action.',
  body: ExecutivesOfCompanies,
  response: {
    200: Data(PeopleOfCompanies, {
      action_id: 'ax_01jw3f8x64m1b3d5f7h9j1k3n5',
      companies: 120,
      created: 214,
      existing: 31,
      skipped: 2,
    }),
    409: ErrorAnswer('The number of companies is not the expected one.'),
  },
})
