import { type Static, Type } from 'typebox'
import {
  Data,
  endpoint,
  Nullable,
  OneOf,
  Page,
  Patch,
  pageQuery,
  Strict,
  Timestamp,
} from '#src/platform/schema/shapes.ts'

export const ACTION_TYPES = ['generate_embeddings', 'llm_score', 'enrich_profile'] as const
export type ActionType = (typeof ACTION_TYPES)[number]

export const STATUSES = ['pending', 'running', 'completed', 'failed', 'cancelled'] as const
export type BulkActionStatus = (typeof STATUSES)[number]

/** The statuses in which nothing more is done. */
export const ENDED: readonly string[] = ['completed', 'failed', 'cancelled'] satisfies BulkActionStatus[]

export const DEFAULT_PRIORITY = 50
export const MOST_COMPANIES = 10_000

const COMPANY_STATES = ['pending', 'processed', 'failed'] as const

/** One of these words in a request, in any spelling: "LLM Score" is taken as llm_score. */
const WordOf = <const T extends readonly string[]>(values: T) => ({
  ...OneOf(values),
  'x-normalize': 'word',
})

const counters = {
  processed_companies: Type.Integer({ minimum: 0, description: 'How many succeeded.' }),
  failed_companies: Type.Integer({ minimum: 0, description: 'How many failed.' }),
}

const usage = {
  calls: Type.Integer({ minimum: 0, description: 'Of the language model.' }),
  input_tokens: Type.Integer({ minimum: 0 }),
  output_tokens: Type.Integer({ minimum: 0 }),
}

/** What a language model has cost. */
export const Usage = Strict(Type.Object(usage))
export type Usage = Static<typeof Usage>

const TokenBudget = Type.Integer({
  minimum: 1,
  maximum: 1e12,
  description: 'Input and output tokens together. Once they are used up, the companies that are left fail.',
})

export const WaitingFor = Type.String({
  maxLength: 2000,
  description:
    'What keeps the action from starting or going on, such as a setting (the sentence says which), or a language model ' +
    'that is down.',
})

/** Of a reported `error_summary`: its keys, and its size as JSON in UTF-8. */
export const ERROR_SUMMARY_LIMITS = { kinds: 64, bytes: 16 * 1024 }

const ErrorSummary = Type.Record(Type.String(), Type.Unknown(), {
  description:
    'For each kind of error, the number of companies it affected and one of them: {count, example}. A report may have at ' +
    `most ${ERROR_SUMMARY_LIMITS.kinds} kinds and ${ERROR_SUMMARY_LIMITS.bytes} bytes of JSON.`,
})

export const BulkAction = Type.Object({
  id: Type.String(),
  action_type: OneOf(ACTION_TYPES),
  status: OneOf(STATUSES, {
    description:
      'completed: every company has been dealt with, failed: and none of them successfully; an external worker may report ' +
      'either earlier. Companies that are neither processed nor failed are pending.',
  }),
  total_companies: Type.Integer(),
  ...counters,
  error_summary: ErrorSummary,
  waiting_for: Nullable(WaitingFor),
  external_worker: Type.Boolean({
    description:
      'Whether an external worker reports on it; the included worker then leaves it alone until a retry.',
  }),
  usage: Type.Object(usage, { description: 'What the language model has cost so far.' }),
  token_budget: Nullable(TokenBudget),
  thesis_id: Nullable(Type.String()),
  force: Type.Boolean(),
  priority: Type.Integer({ minimum: 10, maximum: 95, description: '10 is background, 95 is urgent.' }),
  user_email: Nullable(Type.String({ description: 'Who started it.' })),
  created_at: Timestamp,
  updated_at: Timestamp,
  completed_at: Nullable(Timestamp),
})
export type BulkAction = Static<typeof BulkAction>

export const bulkActionExample: BulkAction = {
  id: 'ba_01jw3f8x62k8m0p4r6t9w1y3z5',
  action_type: 'generate_embeddings',
  status: 'running',
  total_companies: 250,
  processed_companies: 198,
  failed_companies: 2,
  error_summary: {
    refused: {
      count: 2,
      example: {
        company_id: 'cmp_01jw3f8x5zfq2v5n6k7m8p9r0s',
        message: 'The embedding endpoint gave a vector of zeros.',
      },
    },
  },
  waiting_for: null,
  external_worker: false,
  usage: { calls: 0, input_tokens: 0, output_tokens: 0 },
  token_budget: null,
  thesis_id: null,
  force: false,
  priority: 50,
  user_email: 'ada@example.com',
  created_at: '2026-03-02T09:30:00.000Z',
  updated_at: '2026-03-02T09:30:04.000Z',
  completed_at: null,
}

export const CompanyId = Type.String({ minLength: 1, maxLength: 100 })

export const NewBulkAction = Strict(
  Type.Object(
    {
      action_type: WordOf(ACTION_TYPES),
      company_ids: Type.Array(CompanyId, {
        minItems: 1,
        description: `At most ${MOST_COMPANIES} different ones; duplicates count once.`,
      }),
      priority_override: Type.Optional(
        Nullable(
          Type.Integer({
            minimum: 10,
            maximum: 95,
            description: `10 is background, 95 is urgent; ${DEFAULT_PRIORITY} without it.`,
          }),
        ),
      ),
      thesis_id: Type.Optional(
        Nullable(
          Type.String({
            minLength: 1,
            maxLength: 100,
            description: 'For llm_score: the thesis of the companies that have none of their own.',
          }),
        ),
      ),
      force: Type.Optional(
        Type.Boolean({
          default: false,
          description: 'Do again what has been done already: score, or embed, what has not changed.',
        }),
      ),
      token_budget: Type.Optional(Nullable(TokenBudget)),
    },
    {
      examples: [
        {
          action_type: 'generate_embeddings',
          company_ids: ['cmp_01jw3f8x5zfq2v5n6k7m8p9r0s'],
          priority_override: 80,
        },
        {
          action_type: 'llm_score',
          company_ids: ['cmp_01jw3f8x5zfq2v5n6k7m8p9r0s'],
          thesis_id: 'th_01jw3f8x5y1c3e5g7j9m1p3r5t',
          token_budget: 2_000_000,
        },
      ],
    },
  ),
)
export type NewBulkAction = Static<typeof NewBulkAction>

/** What an action's reader may send back unchanged. */
export const BULK_ACTION_READ_ONLY = [
  ...['id', 'action_type', 'total_companies', 'external_worker', 'usage', 'thesis_id', 'force'],
  ...['priority', 'user_email', 'created_at', 'updated_at'],
] as const

export const BulkActionPatch = {
  ...Patch(
    {
      status: WordOf(STATUSES),
      ...counters,
      error_summary: ErrorSummary,
      waiting_for: Nullable(WaitingFor),
      token_budget: Nullable(TokenBudget),
      completed_at: Nullable(Timestamp),
    },
    BULK_ACTION_READ_ONLY,
  ),
  examples: [{ status: 'completed', processed_companies: 250, completed_at: '2026-03-02T09:30:05.000Z' }],
}
export type BulkActionPatch = Static<typeof BulkActionPatch>

export const BulkActionQuery = Strict(
  Type.Object({ ...pageQuery(1000), status: Type.Optional(WordOf(STATUSES)) }),
)
export type BulkActionQuery = Static<typeof BulkActionQuery>

export const BulkActionCompany = Type.Object({
  company_id: Type.String(),
  name: Type.String(),
  state: OneOf(COMPANY_STATES),
  attempts: Type.Integer(),
  error_kind: Nullable(Type.String()),
  error: Nullable(Type.String()),
})

export const BulkActionCompanyQuery = Strict(
  Type.Object({ ...pageQuery(50), state: Type.Optional(WordOf(COMPANY_STATES)) }),
)
export type BulkActionCompanyQuery = Static<typeof BulkActionCompanyQuery>

const path = Type.Object({ id: Type.String({ description: 'The id of a bulk action: ba_…' }) })
export const tags = ['Bulk actions']

export const createBulkAction = endpoint('POST', '/api/bulk-actions', {
  operationId: 'createBulkAction',
  tags,
  'x-rate-class': 'bulk',
  summary: 'Start work on companies',
  description:
    'generate_embeddings indexes them for the search by meaning, llm_score scores them against their thesis (else that ' +
    'of the action, else in general), and enrich_profile writes their profiles. What has not changed since counts as ' +
    'processed, unless force says otherwise. The most urgent action goes first, batch by batch. llm_score and ' +
    'enrich_profile need a language model: without one the action waits as pending, and waiting_for says what to set.',
  body: NewBulkAction,
  response: {
    201: Data(BulkAction, {
      ...bulkActionExample,
      status: 'pending',
      processed_companies: 0,
      failed_companies: 0,
      error_summary: {},
    }),
  },
})

export const listBulkActions = endpoint('GET', '/api/bulk-actions', {
  operationId: 'listBulkActions',
  tags,
  summary: 'List your own bulk actions',
  description: 'Newest first. 401 when nobody says who is asking.',
  querystring: BulkActionQuery,
  response: { 200: Page(BulkAction, bulkActionExample) },
})

export const getBulkAction = endpoint('GET', '/api/bulk-actions/:id', {
  operationId: 'getBulkAction',
  tags,
  summary: 'How far a bulk action is',
  params: path,
  response: { 200: Data(BulkAction, bulkActionExample) },
})

export const updateBulkAction = endpoint('PATCH', '/api/bulk-actions/:id', {
  operationId: 'updateBulkAction',
  tags,
  summary: 'Cancel a bulk action, or report its progress as an external worker',
  description:
    'In production the user who started the action may cancel it and change token_budget; the rest is for the worker, in ' +
    'development for everyone. A report sets the status from any state, and the included worker leaves the action alone ' +
    'from then on. Its counters win, and together must not exceed total_companies; a counter that is left out stays. ' +
    'completed without processed_companies, in this report or an earlier one, means that all companies that have not failed ' +
    'are processed. completed_at is now when an action ends without it.',
  params: path,
  body: BulkActionPatch,
  response: {
    200: Data(BulkAction, {
      ...bulkActionExample,
      status: 'cancelled',
      completed_at: bulkActionExample.updated_at,
    }),
  },
})

export const retryBulkAction = endpoint('POST', '/api/bulk-actions/:id/retry', {
  operationId: 'retryBulkAction',
  tags,
  'x-rate-class': 'bulk',
  summary: 'Work on the failed companies again',
  description:
    'Also on those that were left when the action ended. An action of an external worker goes back to the included worker. ' +
    '409 when no company is left, and for a cancelled action.',
  params: path,
  response: { 200: Data(BulkAction, { ...bulkActionExample, failed_companies: 0, error_summary: {} }) },
})

export const listBulkActionCompanies = endpoint('GET', '/api/bulk-actions/:id/companies', {
  operationId: 'listBulkActionCompanies',
  tags,
  summary: 'What has become of each company',
  params: path,
  querystring: BulkActionCompanyQuery,
  response: {
    200: Page(BulkActionCompany, {
      company_id: 'cmp_01jw3f8x5zfq2v5n6k7m8p9r0s',
      name: 'Nordlys Robotics',
      state: 'failed',
      attempts: 1,
      error_kind: 'refused',
      error: 'The embedding endpoint gave a vector of zeros.',
    }),
  },
})

export const getBulkActionEvents = endpoint('GET', '/api/bulk-actions/:id/events', {
  operationId: 'getBulkActionEvents',
  tags,
  summary: 'Follow a bulk action',
  description:
    'Server-sent events: one named progress with the action as its data at once and at each change; after one named end ' +
    'the stream ends, and a browser should close it, or it connects again.',
  params: path,
  produces: ['text/event-stream'],
  response: {
    200: Type.String({ examples: ['event: progress\ndata: {"id":"ba_…","status":"running"}\n\n'] }),
  },
})
