import { Type } from 'typebox'
import { CompanyPath } from '#src/features/companies/schema.ts'
import { Data, ErrorAnswer, endpoint, Named, Page, pageQuery, Strict } from '#src/platform/schema/shapes.ts'
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
