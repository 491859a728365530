import { type Static, Type } from 'typebox'
import { historyEndpoint } from '#src/features/activity/schema.ts'
import {
  Data,
  endpoint,
  filterValue,
  IfMatch,
  Named,
  Nullable,
  Page,
  Patch,
  pageQuery,
  Strict,
  Timestamp,
  Word,
  wordFilter,
} from '#src/platform/schema/shapes.ts'

/** The known stages in board order. Deals may have others. */
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
export const MAX_NOTES_LENGTH = 20_000

const stage = {
  description: `A lower_snake_case word. Known, in board order: ${STAGES.join(', ')}.`,
}
const fields = {
  stage: Type.String({ ...Word, ...stage }),
  probability: Nullable(Type.Integer({ minimum: 0, maximum: 100, description: 'Percentage.' })),
  notes: Nullable(Type.String({ maxLength: MAX_NOTES_LENGTH })),
  status: Type.String({
    ...Word,
    description: `A lower_snake_case word. Known: ${DEAL_STATUSES.join(', ')}.`,
  }),
}

export const Deal = Named('Deal', {
  id: Type.String(),
  company_id: Type.String(),
  company_name: Type.String(),
  ...fields,
  created_at: Timestamp,
  updated_at: Timestamp,
})
export type Deal = Static<typeof Deal>

export const dealExample: Deal = {
  id: 'df_01jw3f8x61f5t8v0x2z4b6d8g0',
  company_id: 'cmp_01jw3f8x5zfq2v5n6k7m8p9r0s',
  company_name: 'Nordlys Robotics',
  stage: 'meeting',
  probability: 40,
  notes: 'Second meeting with the founders on Thursday.',
  status: 'active',
  created_at: '2026-03-02T09:30:00.000Z',
  updated_at: '2026-03-09T16:05:00.000Z',
}

export const DealQuery = Strict(
  Type.Object({
    ...pageQuery(1000),
    stage: wordFilter(),
    status: wordFilter(),
    company_id: filterValue(),
  }),
)
export type DealQuery = Static<typeof DealQuery>

export const NewDeal = Strict(
  Type.Object(
    {
      company_id: Type.String({ minLength: 1, maxLength: 100 }),
      stage: Type.Optional(Type.String({ ...fields.stage, default: 'initial' })),
      probability: Type.Optional(fields.probability),
      notes: Type.Optional(fields.notes),
      status: Type.Optional(Type.String({ ...fields.status, default: 'active' })),
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

/** Fields that a PATCH may send back unchanged. */
export const DEAL_READ_ONLY = ['id', 'company_id', 'company_name', 'created_at', 'updated_at'] as const

export const DealPatch = {
  ...Patch(fields, DEAL_READ_ONLY),
  title: 'DealPatch',
  examples: [{ stage: 'meeting', probability: 40 }],
}
export type DealPatch = Static<typeof DealPatch>

export const DealStages = Type.Array(
  Named('DealStage', {
    stage: Type.String(),
    deals: Type.Integer({ description: 'Number of deals in this stage.' }),
    expected: Type.Number({
      description: 'Expected number of won deals: the sum of their probabilities, to one decimal place.',
    }),
  }),
)
export type DealStages = Static<typeof DealStages>

const path = Type.Object({ id: Type.String({ description: 'The id of a deal: df_…' }) })
const tags = ['Dealflow']

export const listDeals = endpoint('GET', '/api/dealflow', {
  operationId: 'listDeals',
  'x-action': 'read',
  tags,
  summary: 'List deals',
  description: 'Newest first.',
  querystring: DealQuery,
  response: { 200: Page(Deal, dealExample) },
})

export const getDealStages = endpoint('GET', '/api/dealflow/stages', {
  operationId: 'getDealStages',
  'x-action': 'read',
  tags,
  summary: 'Count deals by stage',
  description: 'The known stages in board order, including empty ones, then others by name.',
  querystring: Strict(Type.Object({ status: wordFilter() })),
  response: {
    200: Data(
      DealStages,
      STAGES.map((name, n) => ({ stage: name, deals: 12 - 2 * n, expected: n + 0.5 })),
    ),
  },
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
