import { type Static, Type } from 'typebox'
import { Named, Nullable, Strict, Timestamp } from '#src/platform/schema/shapes.ts'

const score = Type.Integer({ minimum: 0, maximum: 100 })

/** The thesis that a company was scored against, as it was then. */
export const ScoredThesis = Strict(
  Named('ScoredThesis', {
    id: Type.String({ maxLength: 100 }),
    code: Type.String({ maxLength: 64 }),
    version: Type.String({ maxLength: 100, description: 'When the thesis had last been changed.' }),
  }),
)
export type ScoredThesis = Static<typeof ScoredThesis>

/** How a company scores by one criterion. */
export const Criterion = Strict(
  Named('Criterion', {
    name: Type.String({ minLength: 1, maxLength: 100 }),
    weight: Type.Number({ minimum: 0, maximum: 1, description: 'Its share of the overall score.' }),
    score,
    reason: Type.String({ maxLength: 2000 }),
    evidence: Type.Array(Type.String({ maxLength: 500 }), {
      maxItems: 20,
      description: 'Words of the record that it rests on; each is there. A score above 50 has some.',
    }),
  }),
)
export type Criterion = Static<typeof Criterion>

/** Leaves room for what is added to a score in `llm_score_details`. */
const MAX_SCORE_BYTES = 63 * 1024

/** A company's score, as a worker reports it: what `llm_score_details` begins with; `overall` is `llm_score_overall` too. */
export const Score = {
  'x-max-bytes': MAX_SCORE_BYTES,
  ...Strict(
    Named('Score', {
      overall: score,
      model: Type.String({ minLength: 1, maxLength: 200 }),
      prompt_version: Type.Integer({ minimum: 1 }),
      input_hash: Type.String({
        maxLength: 100,
        description: 'Of the record and the thesis as the model had them.',
      }),
      thesis: Nullable(ScoredThesis),
      criteria: Type.Array(Criterion, { minItems: 1, maxItems: 20 }),
      warnings: Type.Array(Type.String({ maxLength: 1000 }), {
        maxItems: 20,
        description: 'What a person should look at, such as words of the record that read like instructions.',
      }),
    }),
  ),
}
export type Score = Static<typeof Score>

/** `llm_score_details` of a company that a bulk action has scored. */
export const ScoreDetails = Type.Object({
  ...Score.properties,
  scored_at: Timestamp,
  bulk_action_id: Type.String(),
})
export type ScoreDetails = Static<typeof ScoreDetails>

export const scoreExample: Score = {
  overall: 74,
  model: 'gpt-5-mini',
  prompt_version: 1,
  input_hash: 'Y5zQ3C8w1m0',
  thesis: {
    id: 'th_01jw3f8x5y1c3e5g7j9m1p3r5t',
    code: 'WAREHOUSE-ROBOTS',
    version: '2026-03-01T08:00:00.000Z',
  },
  criteria: [
    {
      name: 'thesis_fit',
      weight: 0.4,
      score: 90,
      reason: 'It makes what the thesis looks for, for sites of that size.',
      evidence: ['Picking robots for mid-sized warehouses'],
    },
  ],
  warnings: [],
}
