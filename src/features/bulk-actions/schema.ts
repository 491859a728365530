import { type Static, Type } from 'typebox'
import {
  Data,
  ErrorAnswer,
  endpoint,
  Named,
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

/** The statuses of an action that has ended. */
export const ENDED: readonly string[] = ['completed', 'failed', 'cancelled'] satisfies BulkActionStatus[]

export const DEFAULT_PRIORITY = 50
export const MAX_COMPANIES = 10_000

const COMPANY_STATES = ['pending', 'processed', 'failed'] as const

/** One of these words in a request, in any spelling: "LLM Score" is taken as llm_score. */
const WordOf = <const T extends readonly string[]>(values: T) => ({
  ...OneOf(values),
  'x-normalize': 'word',
})

const counters = {
  processed_companies: Type.Integer({ minimum: 0, description: 'Number of companies that succeeded.' }),
  failed_companies: Type.Integer({ minimum: 0, description: 'Number of companies that failed.' }),
}

const usage = {
  calls: Type.Integer({ minimum: 0, description: 'Calls to the language model.' }),
  input_tokens: Type.Integer({ minimum: 0 }),
  output_tokens: Type.Integer({ minimum: 0 }),
}

/** Calls to a language model and the tokens they used. */
export const Usage = Strict(Named('Usage', usage))
export type Usage = Static<typeof Usage>

const TokenBudget = Type.Integer({
  minimum: 1,
  maximum: 1e12,
  description: 'Input and output tokens together. When they are used up, the remaining companies fail.',
})

export const WaitingFor = Type.String({
  maxLength: 2000,
  description:
    'Why the action cannot start or continue: for example, a missing setting (named here) or a language model that is down.',
})

/** Of a reported `error_summary`: its keys, and its size as JSON in UTF-8. */
export const ERROR_SUMMARY_LIMITS = { kinds: 64, bytes: 16 * 1024 }

const ErrorSummary = Type.Record(Type.String(), Type.Unknown(), {
  description:
    'For each kind of error, the number of companies it affected and one of them: {count, example}. A report may have at ' +
    `most ${ERROR_SUMMARY_LIMITS.kinds} kinds and ${ERROR_SUMMARY_LIMITS.bytes} bytes of JSON.`,
})

export const BulkAction = Named('BulkAction', {
  id: Type.String(),
  action_type: OneOf(ACTION_TYPES),
  status: OneOf(STATUSES, {
    description:
      'completed: all companies are done, and at least one succeeded. failed: all companies failed. An external worker may ' +
      'report either one earlier. Companies that are neither processed nor failed are pending.',
  }),
  total_companies: Type.Integer(),
  ...counters,
  error_summary: ErrorSummary,
  waiting_for: Nullable(WaitingFor),
  external_worker: Type.Boolean({
    description:
      'Whether an external worker has taken over the action. The included worker then leaves it alone until a retry.',
  }),
  usage: Type.Object(usage, { description: 'Usage of the language model so far.' }),
  token_budget: Nullable(TokenBudget),
  thesis_id: Nullable(Type.String()),
  force: Type.Boolean(),
  priority: Type.Integer({ minimum: 10, maximum: 95, description: '10 is background, 95 is urgent.' }),
  user_email: Nullable(Type.String({ description: 'The user who started the action.' })),
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
        description: `At most ${MAX_COMPANIES} different ids. Duplicates count once.`,
      }),
      priority_override: Type.Optional(
        Nullable(
          Type.Integer({
            minimum: 10,
            maximum: 95,
            description: `10 is background, 95 is urgent. The default is ${DEFAULT_PRIORITY}.`,
          }),
        ),
      ),
      thesis_id: Type.Optional(
        Nullable(
          Type.String({
            minLength: 1,
            maxLength: 100,
            description: 'For llm_score: the thesis to use for companies without a thesis.',
          }),
        ),
      ),
      force: Type.Optional(
        Type.Boolean({
          default: false,
          description: 'Score or embed companies again even if they have not changed.',
        }),
      ),
      token_budget: Type.Optional(Nullable(TokenBudget)),
    },
    {
      title: 'NewBulkAction',
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

/** Fields that a PATCH may send back unchanged. A body with one of them is a whole record, not a report. */
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
  title: 'BulkActionPatch',
  examples: [{ status: 'completed', processed_companies: 250, completed_at: '2026-03-02T09:30:05.000Z' }],
}
export type BulkActionPatch = Static<typeof BulkActionPatch>

export const BulkActionQuery = Strict(
  Type.Object({ ...pageQuery(1000), status: Type.Optional(WordOf(STATUSES)) }),
)
export type BulkActionQuery = Static<typeof BulkActionQuery>

export const BulkActionCompany = Named('BulkActionCompany', {
  company_id: Type.String(),
  name: Type.String(),
  state: OneOf(COMPANY_STATES),
  attempts: Type.Integer(),
  error_kind: Nullable(Type.String()),
  error: Nullable(Type.String()),
})

export const BulkActionCompanyQuery = Strict(
  Type.Object({ ...pageQuery(), state: Type.Optional(WordOf(COMPANY_STATES)) }),
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
    'generate_embeddings indexes companies for semantic search. llm_score scores each one against its own thesis, or the ' +
    "action's thesis, or in general if there is neither. enrich_profile writes profiles. Companies that have not changed " +
    'since the last time count as processed, unless force is true. The most urgent action runs first, batch by batch. ' +
    'llm_score and enrich_profile need a language model. Without one, the action stays pending and waiting_for says which ' +
    'settings are missing.',
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
  description: 'Newest first. 401 for requests without a user.',
  querystring: BulkActionQuery,
  response: { 200: Page(BulkAction, bulkActionExample) },
})

export const getBulkAction = endpoint('GET', '/api/bulk-actions/:id', {
  operationId: 'getBulkAction',
  tags,
  summary: 'Read a bulk action and its progress',
  description: 'Its counters, its errors and, while it cannot run, what it is waiting for.',
  params: path,
  response: { 200: Data(BulkAction, bulkActionExample) },
})

export const updateBulkAction = endpoint('PATCH', '/api/bulk-actions/:id', {
  operationId: 'updateBulkAction',
  tags,
  summary: 'Cancel a bulk action, or report its progress as an external worker',
  description:
    'In production, the user who started the action may cancel it and change token_budget. Only the worker may change ' +
    'other fields. In development, everyone may. A report sets the status from any state, and the included worker then ' +
    'leaves the action alone. Reported counters replace the current ones and must not add up to more than ' +
    'total_companies; a counter that is not sent keeps its value. If the status is completed and processed_companies was ' +
    'never reported, all companies that have not failed count as processed. completed_at defaults to the current time when ' +
    'an action ends. A body with a read-only field is a whole record sent back: its unchanged fields are ignored.',
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
  summary: 'Retry the failed companies',
  description:
    'Companies that were still pending when the action ended are retried too. The included worker takes over from an ' +
    'external worker. 409 if no company is left to retry, or if the action was cancelled.',
  params: path,
  response: {
    200: Data(BulkAction, { ...bulkActionExample, failed_companies: 0, error_summary: {} }),
    409: ErrorAnswer('No company is left to retry, or the action was cancelled.'),
  },
})

export const listBulkActionCompanies = endpoint('GET', '/api/bulk-actions/:id/companies', {
  operationId: 'listBulkActionCompanies',
  tags,
  summary: 'List the companies of a bulk action and their states',
  description: 'With the error of each company that failed.',
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
    'Server-sent events. A progress event carries the action, first immediately and then after each change. An end event ' +
    'closes the stream. Close the EventSource then, or the browser reconnects.',
  params: path,
  produces: ['text/event-stream'],
  response: {
    200: Type.String({ examples: ['event: progress\ndata: {"id":"ba_…","status":"running"}\n\n'] }),
  },
})
