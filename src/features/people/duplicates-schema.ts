import { Type } from 'typebox'
import {
  Data,
  endpoint,
  filterValue,
  Named,
  Nullable,
  OneOf,
  Page,
  pageQuery,
  Strict,
} from '#src/platform/schema/shapes.ts'
import { NewPerson, Person, personExample, personProperties } from './schema.ts'

/** The most people that the answer to a creation lists. */
export const MAX_SAME_PEOPLE = 10
/** An address or a name that more people have says too little. */
export const MAX_PER_KEY = 10

const Reasons = Type.Array(OneOf(['same_email', 'same_name_in_company']), {
  minItems: 1,
  description:
    'same_email: they have an email address in common. same_name_in_company: they have the same name, in any order of its words and ' +
    'apart from case, accents, and punctuation, and a company in common.',
})

const PossibleSamePerson = Named('PossibleSamePerson', {
  person: Named('PersonSummary', {
    id: Type.String(),
    name: Type.String(),
    emails: personProperties.emails,
    headline: Nullable(Type.String()),
  }),
  reasons: Reasons,
})

/** A person who was just created. */
const CreatedPerson = Named('CreatedPerson', {
  ...Person.properties,
  possible_duplicates: Type.Array(PossibleSamePerson, {
    maxItems: MAX_SAME_PEOPLE,
    description: 'Other people who may be the same. Only the answer to the creation has them.',
  }),
})

const tags = ['People']

export const createPerson = endpoint('POST', '/api/people', {
  operationId: 'createPerson',
  'x-action': 'write',
  tags,
  summary: 'Create a person',
  description: 'Only the name is required. If other people may be the same, the answer lists them.',
  body: NewPerson,
  response: { 201: Data(CreatedPerson, { ...personExample, possible_duplicates: [] }) },
})

const DuplicatePeople = Named('DuplicatePeople', {
  people: Type.Array(Person, { minItems: 2, maxItems: 2, description: 'The older one first.' }),
  reasons: Reasons,
})

export const listDuplicatePeople = endpoint('GET', '/api/people/duplicates', {
  operationId: 'listDuplicatePeople',
  'x-action': 'read',
  tags,
  summary: 'List people who may be the same',
  description:
    `Pairs of people with an email address in common, or with the same name and a company in common. Those with both reasons come ` +
    `first, then the newest. An address, or a name at a company, that more than ${MAX_PER_KEY} people have does not count.`,
  querystring: Strict(
    Type.Object({
      ...pageQuery(),
      person_id: filterValue({ description: 'Only pairs with this person.' }),
    }),
  ),
  response: {
    200: Page(DuplicatePeople, {
      people: [
        personExample,
        { ...personExample, id: 'per_01jw3f8x68r5f7h9k1n3q5s7v9', name: 'Solberg, Ingrid' },
      ],
      reasons: ['same_email', 'same_name_in_company'],
    }),
  },
})
