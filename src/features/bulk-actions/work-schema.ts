import { type Static, Type } from 'typebox'
import { Profile, profileExample } from '#src/features/companies/profile-schema.ts'
import { companyFields } from '#src/features/companies/schema.ts'
import { Score, ScoredThesis, scoreExample } from '#src/features/companies/score-schema.ts'
import { Data, endpoint, Nullable, OneOf, Strict } from '#src/platform/schema/shapes.ts'
import {
  ACTION_TYPES,
  type ActionType,
  BulkAction,
  bulkActionExample,
  CompanyId,
  STATUSES,
  tags,
  Usage,
  WaitingFor,
} from './schema.ts'

/** The queues between the service and its workers: what waits for a language model keeps no other work waiting. */
export const QUEUES = {
  generate_embeddings: 'bulk-actions',
  llm_score: 'language-model-actions',
  enrich_profile: 'language-model-actions',
} as const satisfies Record<ActionType, string>

/** The name of the rules that do the work of a language model with LLM=builtin. */
export const BUILTIN_MODEL = 'builtin-heuristic'

/** A job of the queue: some of an action's companies. */
export interface BulkActionJob {
  bulk_action_id: string
  company_ids: string[]
}

/** What the worker needs to know of a company to embed it. */
export const EmbeddingWork = Type.Object({
  company_id: Type.String(),
  text: Type.String({ description: 'What is to be embedded.' }),
  text_hash: Type.String(),
  is_current: Type.Boolean({ description: 'Whether this text has been embedded already.' }),
})
export type EmbeddingWork = Static<typeof EmbeddingWork>

const {
  llm_score_overall: _score,
  llm_score_details: _details,
  thesis_id: _thesis,
  ...recordFields
} = companyFields

/** What a language model is told of a company. */
export const CompanyRecord = Type.Object(recordFields)
export type CompanyRecord = Static<typeof CompanyRecord>

export const ThesisText = Type.Object({
  ...ScoredThesis.properties,
  title: Type.String(),
  summary: Nullable(Type.String()),
  report_markdown: Nullable(Type.String()),
})
export type ThesisText = Static<typeof ThesisText>

/** What the worker needs to know of a company to score it. */
export const ScoringWork = Type.Object({
  company_id: Type.String(),
  record: CompanyRecord,
  thesis_id: Nullable(
    Type.String({ description: 'Of one of the theses; null: there is none to score against.' }),
  ),
  scored: Nullable(
    Type.Object(
      { model: Type.String(), prompt_version: Type.Integer(), input_hash: Type.String() },
      { description: 'How it has been scored last; null: never, or it has to be scored in any case.' },
    ),
  ),
})
export type ScoringWork = Static<typeof ScoringWork>

/** What the worker needs to know of a company to write its profile. */
export const EnrichmentWork = Type.Object({
  company_id: Type.String(),
  record: CompanyRecord,
  source_csv: Nullable(
    Type.String({ description: 'The row that the company was imported from, with its header.' }),
  ),
})
export type EnrichmentWork = Static<typeof EnrichmentWork>

const model = Type.String({ description: 'The language model that the service is set to.' })

export const Work = Type.Object({
  action_type: OneOf(ACTION_TYPES),
  status: OneOf(STATUSES),
  is_over_budget: Type.Boolean({ description: 'Whether no more tokens may be used.' }),
  company_ids: Type.Array(Type.String(), {
    description: 'Those that are still pending; none once it has ended, or an external worker reports on it.',
  }),
  embedding: Type.Optional(
    Type.Object({
      model: Type.Object(
        {
          key: Type.String({ description: 'To be named in the results.' }),
          name: Type.String(),
          dimensions: Nullable(Type.Integer({ description: 'That the model is asked for; null: its own.' })),
        },
        { description: 'What embeddings have to be made by.' },
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
    score: Type.Optional(Score),
    profile: Type.Optional(Profile),
    usage: Type.Optional(Usage),
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
        maxItems: 1000,
        description: 'Per company an outcome or an error; neither: there was nothing to do.',
      }),
      waiting_for: Type.Optional(Nullable(WaitingFor)),
    },
    {
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
              error: { kind: 'refused', message: 'The embedding endpoint gave a vector of zeros.' },
            },
          ],
        },
      ],
    },
  ),
)

const path = Type.Object({ id: Type.String({ description: 'The id of a bulk action: ba_…' }) })

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
  tags,
  summary: 'Hand in results',
  description:
    'For the worker. Each company is settled once: a result for one that is settled already changes nothing. Nothing is ' +
    'stored for an action that is cancelled or that an external worker reports on. 400, and nothing is stored, when one of ' +
    'the companies is not in the action.',
  params: path,
  body: Results,
  response: { 200: Data(BulkAction, bulkActionExample) },
})
