import { type Static, Type } from 'typebox'
import { selectedCompanies } from '#src/features/companies/bulk-change/bulk-change-schema.ts'
import { repeatedChoice } from '#src/platform/filter/schema.ts'
import { Named, Nullable, OneOf, Patch, pageQuery, Strict, Timestamp } from '#src/platform/schema/shapes.ts'

export const ACTION_TYPES = ['generate_embeddings', 'llm_score', 'enrich_profile'] as const
export type ActionType = (typeof ACTION_TYPES)[number]

export const STATUSES = ['pending', 'running', 'completed', 'failed', 'cancelled'] as const
export type BulkActionStatus = (typeof STATUSES)[number]

/** The statuses of an action that has ended. */
export const FINAL_STATUSES: readonly string[] = [
  'completed',
  'failed',
  'cancelled',
] satisfies BulkActionStatus[]

export const DEFAULT_PRIORITY = 50
export const MAX_COMPANIES = 10_000

/** One of these words in a request, in any spelling: "LLM Score" means llm_score. */
export const WordOf = <const T extends readonly string[]>(values: T) => ({
  ...OneOf(values),
  'x-normalize': 'word',
})

export const EXISTING = ['keep', 'replace'] as const
export type Existing = (typeof EXISTING)[number]

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
    'For each kind of error or warning, the number of companies it affected and one of them: {count, example}. A report may have at ' +
    `most ${ERROR_SUMMARY_LIMITS.kinds} kinds and ${ERROR_SUMMARY_LIMITS.bytes} bytes of JSON.`,
})

export const BulkAction = Named('BulkAction', {
  id: Type.String(),
  action_type: OneOf(ACTION_TYPES),
  status: OneOf(STATUSES, {
    description:
      'completed: all companies are done, and at least one succeeded. failed: all companies failed, or the model rejects ' +
      'every request (error_summary.stopped says why). An external worker may report either one earlier. Companies that are neither processed nor failed are pending.',
  }),
  total_companies: Type.Integer(),
  ...counters,
  kept_companies: Type.Integer({
    description: 'Of the processed companies, those whose score was entered by a person and kept.',
  }),
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
  existing: Nullable(OneOf(EXISTING, { description: 'null: not stated. llm_score then replaces scores.' })),
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
  kept_companies: 0,
  error_summary: {
    refused: {
      count: 2,
      example: {
        company_id: 'cmp_01jw3f8x5zfq2v5n6k7m8p9r0s',
        message: 'The embedding endpoint returned a vector of zeros.',
      },
    },
  },
  waiting_for: null,
  external_worker: false,
  usage: { calls: 0, input_tokens: 0, output_tokens: 0 },
  token_budget: null,
  thesis_id: null,
  force: false,
  existing: null,
  priority: 50,
  user_email: 'ada@example.com',
  created_at: '2026-03-02T09:30:00.000Z',
  updated_at: '2026-03-02T09:30:04.000Z',
  completed_at: null,
}

export const CompanyId = Type.String({ minLength: 1, maxLength: 100 })

const { expect, ...matching } = selectedCompanies
const selection = {
  company_ids: Type.Optional(
    Type.Array(CompanyId, {
      minItems: 1,
      description: `At most ${MAX_COMPANIES} different ids. Duplicates count once.`,
    }),
  ),
  ...matching,
}

export const BulkActionSelection = Strict(
  Type.Object(selection, {
    title: 'BulkActionSelection',
    examples: [{ company_ids: ['cmp_01jw3f8x5zfq2v5n6k7m8p9r0s'] }],
  }),
)
export type BulkActionSelection = Static<typeof BulkActionSelection>

export const NewBulkAction = Strict(
  Type.Object(
    {
      action_type: WordOf(ACTION_TYPES),
      ...selection,
      expect,
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
      existing: Type.Optional(
        Nullable({
          ...WordOf(EXISTING),
          description:
            'What happens to scores that people entered or imported. llm_score replaces them by default, but results of the ' +
            'built-in rules never do. enrich_profile fills empty fields only, and takes keep alone.',
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
          filter: { field: 'llm_score_overall', op: 'is_empty' },
          expect: 120,
          thesis_id: 'th_01jw3f8x5y1c3e5g7j9m1p3r5t',
          existing: 'keep',
          token_budget: 2_000_000,
        },
      ],
    },
  ),
)
export type NewBulkAction = Static<typeof NewBulkAction>

/** Fields that a PATCH ignores. A body with one of them is a whole record, not a report. */
export const BULK_ACTION_READ_ONLY = [
  ...['id', 'action_type', 'total_companies', 'external_worker', 'usage', 'thesis_id', 'force'],
  ...['existing', 'kept_companies', 'priority', 'user_email', 'created_at', 'updated_at'],
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

export const BulkActionQuery = Strict(Type.Object({ ...pageQuery(1000), status: repeatedChoice(STATUSES) }))
export type BulkActionQuery = Static<typeof BulkActionQuery>

export const BulkActionPath = Type.Object({
  id: Type.String({ description: 'The id of a bulk action: ba_…' }),
})

export const tags = ['Bulk actions']
