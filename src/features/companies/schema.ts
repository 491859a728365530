import { type Static, Type } from 'typebox'
import { contactExample, contactNames, contactProperties } from '#src/features/contacts/schema.ts'
import { CustomValues } from '#src/features/fields/schema.ts'
import { LogoUrl, logoUrlExample } from '#src/features/logos/schema.ts'
import { nextStepExample, nextStepNames, nextStepProperties } from '#src/features/next-steps/schema.ts'
import { UserEmail } from '#src/platform/schema/email-address.ts'
import {
  Data,
  endpoint,
  IfMatch,
  MAX_JSON_VALUE_BYTES,
  Named,
  Nullable,
  OneOf,
  Page,
  Patch,
  Strict,
  Timestamp,
  Word,
} from '#src/platform/schema/shapes.ts'
import { CompanyQuery } from './filters-schema.ts'
import {
  MAX_POSSIBLE_DUPLICATES,
  PossibleDuplicate,
  possibleDuplicateExample,
} from './possible-duplicate-schema.ts'
import { storedScoreExample } from './score-schema.ts'
import { Tags } from './tag-schema.ts'

/** The known statuses. Companies may have others. */
export const COMPANY_STATUSES = ['active', 'inactive', 'acquired', 'public'] as const
/** What can be decided about a company. */
export const DECISION_OUTCOMES = ['invest', 'pass', 'track', 'hold'] as const
export const MAX_NAME_LENGTH = 500
export const MAX_WEBSITE_LENGTH = 2000
export const MAX_DESCRIPTION_LENGTH = 20_000
export const MIN_FOUNDED_YEAR = 1000
export const MAX_FOUNDED_YEAR = 2100

/** Text that is not blank. */
const text = (maxLength: number) => Type.String({ minLength: 1, maxLength, pattern: '\\S' })

const amount = { minimum: 0, maximum: 1e15 }

const json = { 'x-max-bytes': MAX_JSON_VALUE_BYTES }

const llm_score_details = {
  title: 'ScoreDetails',
  ...Nullable(
    Type.Record(Type.String(), Type.Unknown(), {
      ...json,
      description: 'As the bulk action llm_score writes it. See the example.',
      examples: [storedScoreExample],
    }),
  ),
}

/** The writable fields. */
export const companyProperties = {
  name: { ...text(MAX_NAME_LENGTH), 'x-normalize': 'name' },
  country: Nullable(text(200)),
  country_code: Nullable(
    Type.String({
      format: 'country-code',
      'x-normalize': 'country_code',
      description: 'ISO 3166-1 alpha-2, in upper or lower case. Stored in upper case; UK is stored as GB.',
    }),
  ),
  hq_city: Nullable(text(200)),
  industry_category: Nullable(text(200)),
  activity_description: Nullable(text(MAX_DESCRIPTION_LENGTH)),
  status: Type.String({
    ...Word,
    description: `A lower_snake_case word. Known: ${COMPANY_STATUSES.join(', ')}.`,
  }),
  thesis_id: Nullable(Type.String({ minLength: 1, maxLength: 100, description: 'The id of a thesis: th_…' })),
  website: Nullable(Type.String({ maxLength: MAX_WEBSITE_LENGTH, format: 'web-address' })),
  founded_year: Nullable(Type.Integer({ minimum: MIN_FOUNDED_YEAR, maximum: MAX_FOUNDED_YEAR })),
  employee_count: Nullable(Type.Integer({ minimum: 0, maximum: 10_000_000 })),
  revenue_eur: Nullable(Type.Number({ ...amount, description: 'Annual revenue in euros.' })),
  llm_score_overall: Nullable(Type.Integer({ minimum: 0, maximum: 100 })),
  llm_score_details,
  executives: Nullable(
    Type.Array(Type.Unknown(), { ...json, maxItems: 500, description: 'For example {name, title}.' }),
  ),
  financials: Nullable(
    Type.Record(Type.String(), Type.Unknown(), {
      ...json,
      description: 'For example {"2025": {revenue_eur, ebitda_eur}}.',
    }),
  ),
  tags: Tags,
  owner_email: Nullable(UserEmail),
  custom: CustomValues,
}

export const Company = Named('Company', {
  id: Type.String(),
  ...companyProperties,
  decision_outcome: Nullable(
    OneOf(DECISION_OUTCOMES, {
      description: 'The outcome of the latest decision that has been taken. Read-only.',
    }),
  ),
  revisit_on: Nullable(
    Type.String({
      format: 'date',
      description: 'The day on which to look at the company again, by that decision. Read-only.',
    }),
  ),
  ...contactProperties,
  ...nextStepProperties,
  logo_url: LogoUrl,
  created_at: Timestamp,
  updated_at: Timestamp,
})
export type Company = Static<typeof Company>

export const companyExample: Company = {
  id: 'cmp_01jw3f8x5zfq2v5n6k7m8p9r0s',
  name: 'Nordlys Robotics',
  country: 'Norway',
  country_code: 'NO',
  hq_city: 'Trondheim',
  industry_category: 'Robotics',
  activity_description: 'Picking robots for mid-sized warehouses.',
  status: 'active',
  thesis_id: null,
  website: 'https://nordlys-robotics.example',
  founded_year: 2017,
  employee_count: 84,
  revenue_eur: 11_400_000,
  llm_score_overall: 78,
  llm_score_details: storedScoreExample,
  executives: [{ name: 'Ingrid Solberg', title: 'Chief Executive Officer' }],
  financials: { '2025': { revenue_eur: 11_400_000, ebitda_eur: 900_000 } },
  tags: ['Automation', 'Nordics'],
  owner_email: 'ada@example.com',
  custom: { batch: 'opt_01jw3f8x66p3d5f7h9k1m3n5q7' },
  decision_outcome: 'track',
  revisit_on: '2026-09-01',
  ...contactExample,
  ...nextStepExample,
  logo_url: logoUrlExample,
  created_at: '2026-03-02T09:30:00.000Z',
  updated_at: '2026-03-02T09:30:00.000Z',
}

/** A company that was just created. */
export const CreatedCompany = Named('CreatedCompany', {
  ...Company.properties,
  possible_duplicates: Type.Array(PossibleDuplicate, {
    maxItems: MAX_POSSIBLE_DUPLICATES,
    description: 'Companies that may be the same, the best first. Only the answer to the creation has them.',
  }),
})

export const CompanyPath = Type.Object({ id: Type.String({ description: 'The id of a company: cmp_…' }) })

const { name, ...optionalFields } = companyProperties
const bodyExample = {
  name: companyExample.name,
  country: companyExample.country,
  country_code: companyExample.country_code,
  hq_city: companyExample.hq_city,
  industry_category: companyExample.industry_category,
  activity_description: companyExample.activity_description,
}

export const NewCompany = Strict(
  Type.Object(
    { name, ...Type.Partial(Type.Object(optionalFields)).properties },
    { title: 'NewCompany', examples: [bodyExample] },
  ),
)
export type NewCompany = Static<typeof NewCompany>

/** Fields that a PATCH ignores: those of the record, the answer to its creation, search results, and matches. */
export const COMPANY_READ_ONLY = [
  ...['id', 'decision_outcome', 'revisit_on', 'logo_url', 'created_at', 'updated_at'],
  ...contactNames,
  ...nextStepNames,
  ...['enriched_data', 'enriched_data_error', 'possible_duplicates'],
  ...['similarity', 'embedding_stale', 'shares', 'matched_words'],
  ...['fit', 'reasons', 'thesis_score', 'verdict', 'is_new'],
] as const

export const CompanyPatch = {
  ...Patch(companyProperties, COMPANY_READ_ONLY),
  title: 'CompanyPatch',
  examples: [{ status: 'acquired' }],
}
export type CompanyPatch = Static<typeof CompanyPatch>

const tags = ['Companies']

export const listCompanies = endpoint('GET', '/api/companies', {
  operationId: 'listCompanies',
  'x-action': 'read',
  tags,
  summary: 'List and search companies',
  description: 'Newest first by default. The total is exact.',
  querystring: CompanyQuery,
  response: { 200: Page(Company, companyExample) },
})

export const createCompany = endpoint('POST', '/api/companies', {
  operationId: 'createCompany',
  'x-action': 'write',
  tags,
  summary: 'Create a company',
  description: 'Only the name is required.',
  body: NewCompany,
  response: {
    201: Data(CreatedCompany, { ...companyExample, possible_duplicates: [possibleDuplicateExample] }),
  },
})

export const updateCompany = endpoint('PATCH', '/api/companies/:id', {
  operationId: 'updateCompany',
  'x-action': 'write',
  tags,
  summary: 'Change a company',
  description: 'Changes only the fields in the body. null clears a field.',
  headers: IfMatch,
  params: CompanyPath,
  body: CompanyPatch,
  response: { 200: Data(Company, companyExample) },
})
