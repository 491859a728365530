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
} from '#src/platform/shapes.ts'

export const ACTION_TYPES = ['generate_embeddings', 'llm_score', 'enrich_profile'] as const
export type ActionType = (typeof ACTION_TYPES)[number]

export const STATUSES = ['pending', 'running', 'completed', 'failed', 'cancelled'] as const
export type BulkActionStatus = (typeof STATUSES)[number]

/** The statuses in which nothing more is done. */
export const ENDED: readonly string[] = ['completed', 'failed', 'cancelled'] satisfies BulkActionStatus[]

export const DEFAULT_PRIORITY = 50
export const MOST_COMPANIES = 10_000
/** Companies that the worker is given at a time. */
export const BATCH = 100

/** The queue between the service and its workers. */
export const BULK_QUEUE = 'bulk-actions'

/** A job of the queue: some of an action's companies. */
export interface BulkActionJob {
  bulk_action_id: string
  company_ids: string[]
}

const CompanyState = OneOf(['pending', 'processed', 'failed'])

const counters = {
  processed_companies: Type.Integer({ minimum: 0, description: 'How many succeeded.' }),
  failed_companies: Type.Integer({ minimum: 0, description: 'How many failed.' }),
}

const ErrorSummary = Type.Record(Type.String(), Type.Unknown(), {
  description: 'For each kind of error how many companies it hit, and one of them: {count, example}.',
})

export const BulkAction = Type.Object({
  id: Type.String(),
  action_type: OneOf(ACTION_TYPES),
  status: OneOf(STATUSES, {
    description:
      'completed: every company has been dealt with, failed: and none of them successfully. Those that are neither ' +
      'processed nor failed are pending.',
  }),
  total_companies: Type.Integer(),
  ...counters,
  error_summary: ErrorSummary,
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
  priority: 50,
  user_email: 'ada@example.com',
  created_at: '2026-03-02T09:30:00.000Z',
  updated_at: '2026-03-02T09:30:04.000Z',
  completed_at: null,
}

const CompanyId = Type.String({ minLength: 1, maxLength: 100 })

export const NewBulkAction = Strict(
  Type.Object(
    {
      action_type: OneOf(ACTION_TYPES),
      company_ids: Type.Array(CompanyId, {
        minItems: 1,
        maxItems: MOST_COMPANIES,
        description: 'Each once.',
      }),
      priority_override: Type.Optional(
        Type.Integer({
          minimum: 10,
          maximum: 95,
          description: `10 is background, 95 is urgent; ${DEFAULT_PRIORITY} without it.`,
        }),
      ),
    },
    {
      examples: [
        {
          action_type: 'generate_embeddings',
          company_ids: ['cmp_01jw3f8x5zfq2v5n6k7m8p9r0s'],
          priority_override: 80,
        },
      ],
    },
  ),
)
export type NewBulkAction = Static<typeof NewBulkAction>

export const BulkActionPatch = {
  ...Patch({
    status: OneOf(STATUSES),
    ...counters,
    error_summary: ErrorSummary,
    completed_at: Timestamp,
  }),
  examples: [{ status: 'completed', processed_companies: 250, completed_at: '2026-03-02T09:30:05.000Z' }],
}
export type BulkActionPatch = Static<typeof BulkActionPatch>

export const BulkActionQuery = Strict(
  Type.Object({ ...pageQuery(1000), status: Type.Optional(OneOf(STATUSES)) }),
)
export type BulkActionQuery = Static<typeof BulkActionQuery>

export const BulkActionCompany = Type.Object({
  company_id: Type.String(),
  name: Type.String(),
  state: CompanyState,
  attempts: Type.Integer(),
  error_kind: Nullable(Type.String()),
  error: Nullable(Type.String()),
})

export const BulkActionCompanyQuery = Strict(
  Type.Object({ ...pageQuery(50), state: Type.Optional(CompanyState) }),
)
export type BulkActionCompanyQuery = Static<typeof BulkActionCompanyQuery>

/** What the worker needs to know of a company to embed it. */
export const EmbeddingWork = Type.Object({
  company_id: Type.String(),
  text: Type.String({ description: 'What is to be embedded.' }),
  text_hash: Type.String(),
  is_current: Type.Boolean({ description: 'Whether this text has been embedded already.' }),
})
export type EmbeddingWork = Static<typeof EmbeddingWork>

export const Work = Type.Object({
  action_type: OneOf(ACTION_TYPES),
  status: OneOf(STATUSES),
  model: Nullable(
    Type.Object(
      {
        key: Type.String({ description: 'To be named in the results.' }),
        name: Type.String(),
        dimensions: Nullable(Type.Integer({ description: 'That the model is asked for; null: its own.' })),
      },
      { description: 'What embeddings have to be made by.' },
    ),
  ),
  companies: Type.Array(EmbeddingWork, {
    description: 'Those that are still pending; none once it has ended.',
  }),
})
export type Work = Static<typeof Work>

export const WorkQuery = Strict(
  Type.Object({
    company_ids: Type.String({
      minLength: 1,
      maxLength: 20_000,
      description: 'Ids with commas between them.',
    }),
  }),
)

export const EmbeddingOutcome = Strict(
  Type.Object({
    model: Type.String({ maxLength: 500, description: 'The key that the work names.' }),
    text_hash: Type.String({ maxLength: 100 }),
    vector: Type.Optional(Type.Array(Type.Number(), { minItems: 1, maxItems: 4000 })),
    weights: Type.Optional(
      Type.Array(Type.Array(Type.Number(), { minItems: 2, maxItems: 2 }), { maxItems: 16_000 }),
    ),
  }),
)
export type EmbeddingOutcome = Static<typeof EmbeddingOutcome>

export const Result = Strict(
  Type.Object({
    company_id: CompanyId,
    embedding: Type.Optional(EmbeddingOutcome),
    error: Type.Optional(
      Strict(
        Type.Object({
          kind: Type.String({ minLength: 1, maxLength: 64, description: 'What errors are counted by.' }),
          message: Type.String({ minLength: 1, maxLength: 2000 }),
        }),
      ),
    ),
  }),
)
export type Result = Static<typeof Result>

export const Results = Strict(
  Type.Object(
    {
      results: Type.Array(Result, {
        minItems: 1,
        maxItems: 1000,
        description: 'Per company an outcome or an error; neither: there was nothing to do.',
      }),
    },
    {
      examples: [
        {
          results: [
            {
              company_id: 'cmp_01jw3f8x5zfq2v5n6k7m8p9r0s',
              error: { kind: 'refused', message: 'The embedding endpoint gave a vector of zeros.' },
            },
          ],
        },
      ],
    },
  ),
)

const path = Type.Object({ id: Type.String({ description: 'The id of a bulk action: ba_…' }) })
const tags = ['Bulk actions']

export const createBulkAction = endpoint('POST', '/api/bulk-actions', {
  operationId: 'createBulkAction',
  tags,
  'x-rate-class': 'bulk',
  summary: 'Start work on companies',
  description:
    'generate_embeddings indexes them for the search by meaning; those whose text is as it was count as processed. ' +
    'The most urgent action goes first, batch by batch. llm_score and enrich_profile need a language model: 503 without.',
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
  summary: 'Cancel a bulk action, or report its progress as a worker of your own',
  description:
    'In production for who started it and the worker. An action that has ended stays so. The counters together must not ' +
    'exceed total_companies. completed_at is now when an action ends without it.',
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
  summary: 'Work on the failed companies again',
  description: '409 when none has failed.',
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

export const getBulkActionWork = endpoint('GET', '/api/bulk-actions/:id/work', {
  operationId: 'getBulkActionWork',
  tags,
  summary: 'What the worker has to do',
  description: 'For the worker.',
  params: path,
  querystring: WorkQuery,
  response: {
    200: Data(Work, {
      action_type: 'generate_embeddings',
      status: 'running',
      model: { key: 'builtin-1, text 1', name: 'builtin-1', dimensions: null },
      companies: [
        {
          company_id: 'cmp_01jw3f8x5zfq2v5n6k7m8p9r0s',
          text: 'Nordlys Robotics\nRobotics',
          text_hash: 'Y5zQ3C8w1m0',
          is_current: false,
        },
      ],
    }),
  },
})

export const postBulkActionResults = endpoint('POST', '/api/bulk-actions/:id/results', {
  operationId: 'postBulkActionResults',
  tags,
  summary: 'Hand in results',
  description:
    'For the worker. Each company is settled once: a result for one that is settled already changes nothing. 400, and ' +
    'nothing is stored, when one of the companies is not in the action.',
  params: path,
  body: Results,
  response: { 200: Data(BulkAction, bulkActionExample) },
})
