import { type Static, Type } from 'typebox'
import { historyEndpoint } from '#src/features/activity/schema.ts'
import { CustomValues } from '#src/features/fields/schema.ts'
import { LogoUrl, logoUrlExample } from '#src/features/logos/schema.ts'
import { nextStepExample, nextStepNames, nextStepProperties } from '#src/features/next-steps/schema.ts'
import { deleted, gone, idPath } from '#src/features/trash/schema.ts'
import {
  filterParameter,
  repeatedFilter,
  repeatedUserFilter,
  repeatedWordFilter,
  sortParameter,
} from '#src/platform/filter/schema.ts'
import { UserEmail } from '#src/platform/schema/email-address.ts'
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
  Word,
} from '#src/platform/schema/shapes.ts'
import { SourceName, sourceExample, sourceFilters, sourceProperties } from './source-schema.ts'

/** The stages that are configured at first, in board order. Deals may have others. */
export const STAGES = [
  'initial',
  'meeting',
  'due_diligence',
  'term_sheet',
  'closed_won',
  'closed_lost',
] as const

/** The known statuses. Deals may have others. */
export const DEAL_STATUSES = ['active', 'won', 'lost', 'on_hold'] as const
export type DealStatus = (typeof DEAL_STATUSES)[number]
export const MAX_NOTES_LENGTH = 20_000
export const MAX_ROUND_LENGTH = 100
export const MAX_SOURCE_LENGTH = 200
export const MAX_LOST_REASON_LENGTH = 2000
/** A deal that can still be won is stuck when it has been in its stage for more days, unless it is on hold. */
export const STUCK_DAYS = 30

const stage = {
  description: `A lower_snake_case word. At first: ${STAGES.join(', ')}; GET /api/dealflow/stages/config lists the present ones.`,
}
const money = { minimum: 0, maximum: 1e15 }
const shortText = (maxLength: number, description: string) =>
  Type.String({ minLength: 1, maxLength, pattern: '\\S', description })
export const dealFieldSchemas = {
  stage: Type.String({ ...Word, ...stage }),
  probability: Nullable(Type.Integer({ minimum: 0, maximum: 100, description: 'Percentage.' })),
  notes: Nullable(Type.String({ maxLength: MAX_NOTES_LENGTH })),
  status: Type.String({
    ...Word,
    description: `A lower_snake_case word. Known: ${DEAL_STATUSES.join(', ')}.`,
  }),
  owner_email: Nullable(UserEmail),
  amount_eur: Nullable(Type.Number({ ...money, description: 'The planned investment in euros.' })),
  round: Nullable(shortText(MAX_ROUND_LENGTH, 'The financing round, such as Seed or Series A.')),
  valuation_eur: Nullable(Type.Number({ ...money, description: 'The valuation of the company in euros.' })),
  ownership_percent: Nullable(
    Type.Number({ minimum: 0, maximum: 100, description: 'The share of the company that the deal gives.' }),
  ),
  source: Nullable(shortText(MAX_SOURCE_LENGTH, 'Where the deal comes from, such as a referral.')),
  ...sourceProperties,
  lost_reason: Nullable(shortText(MAX_LOST_REASON_LENGTH, 'Why the deal was lost.')),
  expected_close_on: Nullable(
    Type.String({ format: 'date', description: 'The day on which the deal is expected to close.' }),
  ),
  custom: CustomValues,
}

export const Deal = Named('Deal', {
  id: Type.String(),
  company_id: Type.String(),
  company_name: Type.String(),
  company_industry_category: Nullable(Type.String()),
  company_llm_score_overall: Nullable(
    Type.Integer({ description: "The company's score, from 0 to 100; null if it has not been scored." }),
  ),
  company_logo_url: LogoUrl,
  ...dealFieldSchemas,
  source_name: SourceName,
  ...nextStepProperties,
  stage_entered_at: Type.String({
    format: 'date-time',
    description: 'When the deal entered its stage: ISO 8601, UTC.',
  }),
  created_at: Timestamp,
  updated_at: Timestamp,
})
export type Deal = Static<typeof Deal>

export const dealExample: Deal = {
  id: 'df_01jw3f8x61f5t8v0x2z4b6d8g0',
  company_id: 'cmp_01jw3f8x5zfq2v5n6k7m8p9r0s',
  company_name: 'Nordlys Robotics',
  company_industry_category: 'Robotics',
  company_llm_score_overall: 78,
  company_logo_url: logoUrlExample,
  stage: 'meeting',
  probability: 40,
  notes: 'Second meeting with the founders on Thursday.',
  status: 'active',
  owner_email: 'ada@example.com',
  amount_eur: 1_500_000,
  round: 'Series A',
  valuation_eur: 12_000_000,
  ownership_percent: 12.5,
  source: 'Trade fair',
  ...sourceExample,
  ...nextStepExample,
  lost_reason: null,
  expected_close_on: '2026-06-30',
  stage_entered_at: '2026-03-09T16:05:00.000Z',
  custom: {},
  created_at: '2026-03-02T09:30:00.000Z',
  updated_at: '2026-03-09T16:05:00.000Z',
}

export const DealQuery = Strict(
  Type.Object({
    ...pageQuery(1000),
    stage: repeatedWordFilter(),
    status: repeatedWordFilter(),
    company_id: repeatedFilter(),
    owner_email: repeatedUserFilter(),
    ...sourceFilters,
    filter: filterParameter,
    sort: sortParameter(),
  }),
)
export type DealQuery = Static<typeof DealQuery>

const { stage: _stage, status: _status, ...nullableFields } = dealFieldSchemas

export const NewDeal = Strict(
  Type.Object(
    {
      company_id: Type.String({ minLength: 1, maxLength: 100 }),
      stage: Type.Optional(Type.String({ ...dealFieldSchemas.stage, default: 'initial' })),
      status: Type.Optional(Type.String({ ...dealFieldSchemas.status, default: 'active' })),
      ...Type.Partial(Type.Object(nullableFields)).properties,
    },
    {
      title: 'NewDeal',
      examples: [
        {
          company_id: dealExample.company_id,
          stage: 'initial',
          probability: 20,
          notes: 'Met at a trade fair.',
        },
      ],
    },
  ),
)
export type NewDeal = Static<typeof NewDeal>

/** Fields that a PATCH ignores. */
export const DEAL_READ_ONLY = [
  ...[
    'id',
    'company_id',
    'company_name',
    'company_industry_category',
    'company_llm_score_overall',
    'company_logo_url',
  ],
  ...nextStepNames,
  ...['source_name', 'stage_entered_at', 'created_at', 'updated_at'],
] as const

export const DealPatch = {
  ...Patch(dealFieldSchemas, DEAL_READ_ONLY),
  title: 'DealPatch',
  examples: [{ stage: 'meeting', probability: 40 }],
}
export type DealPatch = Static<typeof DealPatch>

const path = Type.Object({ id: Type.String({ description: 'The id of a deal: df_…' }) })
const tags = ['Dealflow']

export const listDeals = endpoint('GET', '/api/dealflow', {
  operationId: 'listDeals',
  'x-action': 'read',
  tags,
  summary: 'List deals',
  description: 'Newest first by default.',
  querystring: DealQuery,
  response: { 200: Page(Deal, dealExample) },
})

export const getDeal = endpoint('GET', '/api/dealflow/:id', {
  operationId: 'getDeal',
  'x-action': 'read',
  tags,
  summary: 'Read a deal',
  description: 'With the name of its company.',
  params: path,
  response: { 200: Data(Deal, dealExample) },
})

export const createDeal = endpoint('POST', '/api/dealflow', {
  operationId: 'createDeal',
  'x-action': 'write',
  tags,
  summary: 'Create a deal',
  description: 'A company may have several deals.',
  body: NewDeal,
  response: { 201: Data(Deal, dealExample) },
})

export const updateDeal = endpoint('PATCH', '/api/dealflow/:id', {
  operationId: 'updateDeal',
  'x-action': 'write',
  tags,
  summary: 'Change a deal',
  description: 'Fields that are not sent keep their values. null clears a field.',
  headers: IfMatch,
  params: path,
  body: DealPatch,
  response: { 200: Data(Deal, dealExample) },
})

export const getDealHistory = historyEndpoint(
  '/api/dealflow/:id/history',
  'getDealHistory',
  'Dealflow',
  'deal',
)

export const deleteDeal = endpoint('DELETE', '/api/dealflow/:id', {
  operationId: 'deleteDeal',
  'x-action': 'delete',
  tags: ['Dealflow'],
  summary: 'Delete a deal',
  description: deleted('deal'),
  params: idPath('The id of a deal: df_…'),
  response: gone,
})
