import { type Static, Type } from 'typebox'
import { Profile, profileExample } from '#src/features/companies/detail/profile-schema.ts'
import { companyProperties } from '#src/features/companies/schema.ts'
import { Score, ScoredThesis, scoreExample } from '#src/features/companies/score-schema.ts'
import { Data, endpoint, Named, Nullable, OneOf, Strict } from '#src/platform/schema/shapes.ts'
import {
  ACTION_TYPES,
  type ActionType,
  BulkAction,
  BulkActionPath,
  bulkActionExample,
  CompanyId,
  STATUSES,
  tags,
  Usage,
  WaitingFor,
} from './schema.ts'

/** The queues between the service and its workers. Slow language model work has its own, so it delays nothing else. */
export const QUEUES = {
  generate_embeddings: 'bulk-actions',
  llm_score: 'language-model-actions',
  enrich_profile: 'language-model-actions',
} as const satisfies Record<ActionType, string>

/** The model name of the rules that replace a language model with LLM=builtin. */
export const BUILTIN_MODEL = 'builtin-heuristic'

/** A job in the queue: a batch of an action's companies. */
export interface BulkActionJob {
  bulk_action_id: string
  company_ids: string[]
  /** The attempt of the action; missing in jobs from before it was stored: the first. */
  attempt?: number
}

/** The input for embedding a company. */
export const EmbeddingWork = Named('EmbeddingWork', {
  company_id: Type.String(),
  text: Type.String({ description: 'The text to embed.' }),
  text_hash: Type.String(),
  is_current: Type.Boolean({ description: 'Whether this text is already embedded.' }),
})
export type EmbeddingWork = Static<typeof EmbeddingWork>

const {
  llm_score_overall: _score,
  llm_score_details: _details,
  thesis_id: _thesis,
  ...recordFields
} = companyProperties

/** The fields of a company that a language model sees. */
export const CompanyRecord = Named('CompanyRecord', recordFields)
export type CompanyRecord = Static<typeof CompanyRecord>

export const ThesisText = Named('ThesisText', {
  ...ScoredThesis.properties,
  title: Type.String(),
  summary: Nullable(Type.String()),
  report_markdown: Nullable(Type.String()),
})
export type ThesisText = Static<typeof ThesisText>

/** The input for scoring a company. */
export const ScoringWork = Named('ScoringWork', {
  company_id: Type.String(),
  record: CompanyRecord,
  thesis_id: Nullable(
    Type.String({ description: 'The id of one of the theses; null: there is no thesis to score against.' }),
  ),
  scored: Nullable(
    Type.Object(
      { model: Type.String(), prompt_version: Type.Integer(), input_hash: Type.String() },
      { description: 'How the company was last scored; null: never, or force is true.' },
    ),
  ),
  kept: Type.Boolean({
    description: 'Whether the company keeps the score that a person entered. It needs no score then.',
  }),
})
export type ScoringWork = Static<typeof ScoringWork>

/** The input for writing a company's profile. */
export const EnrichmentWork = Named('EnrichmentWork', {
  company_id: Type.String(),
  record: CompanyRecord,
  source_csv: Nullable(
    Type.String({ description: 'The row that the company was imported from, with its header row.' }),
  ),
})
export type EnrichmentWork = Static<typeof EnrichmentWork>

const model = Type.String({ description: 'The language model that the service is configured to use.' })

export const Work = Named('BulkActionWork', {
  action_type: OneOf(ACTION_TYPES),
  status: OneOf(STATUSES),
  is_over_budget: Type.Boolean({ description: 'Whether the token budget is used up.' }),
  company_ids: Type.Array(Type.String(), {
    description:
      'Companies that are still pending. Empty once the action has ended or an external worker has taken over.',
  }),
  embedding: Type.Optional(
    Type.Object({
      model: Type.Object(
        {
          key: Type.String({ description: 'Send this key in the results.' }),
          name: Type.String(),
          dimensions: Nullable(Type.Integer({ description: 'Requested from the model; null: its default.' })),
        },
        { description: 'The model to use for embeddings.' },
      ),
      companies: Type.Array(EmbeddingWork),
    }),
  ),
  scoring: Type.Optional(
    Type.Object({ model, theses: Type.Array(ThesisText), companies: Type.Array(ScoringWork) }),
  ),
  enrichment: Type.Optional(Type.Object({ model, companies: Type.Array(EnrichmentWork) })),
})
export type Work = Static<typeof Work>

export const WorkQuery = Strict(
  Type.Object({
    company_ids: Type.String({ minLength: 1, maxLength: 20_000, description: 'Comma-separated ids.' }),
  }),
)

export const EmbeddingOutcome = Strict(
  Named('EmbeddingOutcome', {
    model: Type.String({ maxLength: 500, description: 'The model key from the work.' }),
    text_hash: Type.String({ maxLength: 100 }),
    vector: Type.Optional(Type.Array(Type.Number(), { minItems: 1, maxItems: 4000 })),
    weights: Type.Optional(
      Type.Array(Type.Array(Type.Number(), { minItems: 2, maxItems: 2 }), { maxItems: 16_000 }),
    ),
  }),
)
export type EmbeddingOutcome = Static<typeof EmbeddingOutcome>

const ErrorKind = Type.String({
  minLength: 1,
  maxLength: 64,
  description: 'The kind that error_summary counts.',
})
const ErrorMessage = Type.String({ minLength: 1, maxLength: 2000 })

export const Result = Strict(
  Named('BulkActionResult', {
    company_id: CompanyId,
    embedding: Type.Optional(EmbeddingOutcome),
    score: Type.Optional(Score),
    profile: Type.Optional(Profile),
    usage: Type.Optional(Usage),
    warning: Type.Optional(
      Strict(
        Type.Object(
          { kind: ErrorKind, message: ErrorMessage },
          { description: 'Why the outcome may be worse than it looks. error_summary counts it too.' },
        ),
      ),
    ),
    error: Type.Optional(Strict(Type.Object({ kind: ErrorKind, message: ErrorMessage }))),
  }),
)
export type Result = Static<typeof Result>

export const Results = Strict(
  Type.Object(
    {
      results: Type.Array(Result, {
        maxItems: 1000,
        description: 'An outcome or an error for each company. Neither means there was nothing to do.',
      }),
      waiting_for: Type.Optional(Nullable(WaitingFor)),
      usage: Type.Optional(Usage),
      attempt: Type.Optional(
        Type.Integer({
          minimum: 1,
          description: 'The `attempt` of the job. Errors are ignored if the action was retried since.',
        }),
      ),
      stopped_for: Type.Optional(
        Type.String({
          minLength: 1,
          maxLength: 2000,
          description:
            'Ends the action as failed, because the companies that are left could not succeed either. They stay pending until ' +
            'a retry. error_summary says why (stopped).',
        }),
      ),
    },
    {
      title: 'BulkActionResults',
      examples: [
        {
          results: [
            {
              company_id: 'cmp_01jw3f8x5zfq2v5n6k7m8p9r0s',
              score: scoreExample,
              usage: { calls: 1, input_tokens: 1830, output_tokens: 412 },
            },
            { company_id: 'cmp_01jw3f8x5z7b9d1f3h5k7m9p1r', profile: profileExample },
            {
              company_id: 'cmp_01jw3f8x5z9c1e3g5j7m9p1r3t',
              error: { kind: 'refused', message: 'The embedding endpoint returned a vector of zeros.' },
            },
          ],
        },
      ],
    },
  ),
)

export const getBulkActionWork = endpoint('GET', '/api/bulk-actions/:id/work', {
  operationId: 'getBulkActionWork',
  'x-action': 'work',
  tags,
  summary: 'Read the work for a batch of companies',
  description: 'For the worker.',
  params: BulkActionPath,
  querystring: WorkQuery,
  response: {
    200: Data(Work, {
      action_type: 'generate_embeddings',
      status: 'running',
      is_over_budget: false,
      company_ids: ['cmp_01jw3f8x5zfq2v5n6k7m8p9r0s'],
      embedding: {
        model: { key: 'builtin-1, text 1', name: 'builtin-1', dimensions: null },
        companies: [
          {
            company_id: 'cmp_01jw3f8x5zfq2v5n6k7m8p9r0s',
            text: 'Nordlys Robotics\nRobotics',
            text_hash: 'Y5zQ3C8w1m0',
            is_current: false,
          },
        ],
      },
    }),
  },
})

export const postBulkActionResults = endpoint('POST', '/api/bulk-actions/:id/results', {
  operationId: 'postBulkActionResults',
  'x-action': 'work',
  tags,
  summary: 'Submit results',
  description:
    'For the worker. Only the first result for a company counts. Results are ignored if the action is canceled or an ' +
    'external worker has taken over. 400, and nothing is stored, if a company is not in the action.',
  params: BulkActionPath,
  body: Results,
  response: { 200: Data(BulkAction, bulkActionExample) },
})
