import { type Static, Type } from 'typebox'
import {
  DuplicateReasons,
  DuplicateScore,
  MAX_POSSIBLE_DUPLICATES,
  MIN_DUPLICATE_SCORE,
  PossibleDuplicate,
  possibleDuplicateExample,
} from '#src/features/companies/possible-duplicate-schema.ts'
import {
  Company,
  companyExample,
  companyProperties,
  MAX_WEBSITE_LENGTH,
} from '#src/features/companies/schema.ts'
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
  Timestamp,
} from '#src/platform/schema/shapes.ts'

export const DUPLICATE_STATUSES = ['open', 'dismissed'] as const

export const Duplicate = Named('Duplicate', {
  id: Type.String({ description: 'Always the same for the same two companies: dup_…' }),
  score: DuplicateScore,
  reasons: DuplicateReasons,
  status: {
    ...OneOf(DUPLICATE_STATUSES),
    description: '`dismissed`: a user said that they are not the same.',
  },
  companies: Type.Array(Company, { minItems: 2, maxItems: 2, description: 'The older one first.' }),
  found_at: Timestamp,
  dismissed_at: Nullable(Timestamp),
  dismissed_by: Nullable(Type.String({ description: 'The user who dismissed it; null if unknown.' })),
})
export type Duplicate = Static<typeof Duplicate>

const { name, country, country_code } = companyProperties

const example: Duplicate = {
  id: 'dup_5qv9y2j8m4c7d1f3g6h0k8n2p4',
  score: 0.96,
  reasons: ['same_domain', 'similar_name'],
  status: 'open',
  companies: [
    companyExample,
    { ...companyExample, id: 'cmp_01jw5a2b3c4d5e6f7g8h9j0k1m', name: 'Nordlys Robotic AS' },
  ],
  found_at: '2026-03-03T10:00:00.000Z',
  dismissed_at: null,
  dismissed_by: null,
}

export const DuplicateQuery = Strict(
  Type.Object({
    ...pageQuery(),
    company_id: filterValue({ description: 'Only pairs with this company.' }),
    min_score: Type.Optional(
      Type.Number({ minimum: 0, maximum: 1, description: 'The lowest score, from 0 to 1.' }),
    ),
    status: Type.Optional({
      ...OneOf(DUPLICATE_STATUSES, { default: 'open' }),
      'x-normalize': 'word',
    }),
  }),
)
export type DuplicateQuery = Static<typeof DuplicateQuery>

export const DuplicateCheckQuery = Strict(
  Type.Object({
    name: Type.Optional(name),
    website: Type.Optional(
      Type.String({ maxLength: MAX_WEBSITE_LENGTH, description: 'With or without https://.' }),
    ),
    country: Type.Optional(country),
    country_code: Type.Optional(country_code),
    exclude: filterValue({ description: 'The id of a company to leave out: the one that is being edited.' }),
  }),
)
export type DuplicateCheckQuery = Static<typeof DuplicateCheckQuery>

export const DuplicateCheck = Named('DuplicateCheck', {
  possible_duplicates: Type.Array(PossibleDuplicate, {
    maxItems: MAX_POSSIBLE_DUPLICATES,
    description: 'The best first.',
  }),
})
export type DuplicateCheck = Static<typeof DuplicateCheck>

const tags = ['Duplicates']
const path = Type.Object({ id: Type.String({ description: 'The id of a pair: dup_…' }) })

export const listDuplicates = endpoint('GET', '/api/duplicates', {
  operationId: 'listDuplicates',
  'x-action': 'read',
  tags,
  summary: 'List possible duplicates',
  description: `Pairs of companies with a score of at least ${MIN_DUPLICATE_SCORE}, the highest first. A pair is found within seconds after one of its companies was created or changed.`,
  querystring: DuplicateQuery,
  response: { 200: Page(Duplicate, example) },
})

export const checkDuplicates = endpoint('GET', '/api/duplicates/check', {
  operationId: 'checkDuplicates',
  'x-action': 'read',
  tags,
  summary: 'Check a new company for duplicates',
  description: 'For forms, before a company is created. Without a name and a website, there are none.',
  querystring: DuplicateCheckQuery,
  response: { 200: Data(DuplicateCheck, { possible_duplicates: [possibleDuplicateExample] }) },
})

export const dismissDuplicate = endpoint('POST', '/api/duplicates/:id/dismiss', {
  operationId: 'dismissDuplicate',
  'x-action': 'write',
  tags,
  summary: 'Dismiss a possible duplicate',
  description: 'The pair leaves the list, and stays dismissed when it is found again.',
  params: path,
  response: {
    200: Data(Duplicate, {
      ...example,
      status: 'dismissed',
      dismissed_at: '2026-03-04T11:00:00.000Z',
      dismissed_by: 'ada@example.com',
    }),
  },
})

export const reopenDuplicate = endpoint('POST', '/api/duplicates/:id/reopen', {
  operationId: 'reopenDuplicate',
  'x-action': 'write',
  tags,
  summary: 'Reopen a dismissed pair',
  description: 'The pair returns to the list.',
  params: path,
  response: { 200: Data(Duplicate, example) },
})
