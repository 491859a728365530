import { type Static, Type } from 'typebox'
import { Named, Nullable, Strict, Timestamp } from '#src/platform/schema/shapes.ts'

const score = Type.Integer({ minimum: 0, maximum: 100 })

/** The version of the thesis that a company was scored against. */
export const ScoredThesis = Strict(
  Named('ScoredThesis', {
    id: Type.String({ maxLength: 100 }),
    code: Type.String({ maxLength: 64 }),
    version: Type.String({ maxLength: 100, description: 'The `updated_at` of the thesis.' }),
    text_hash: Type.Optional(
      Type.String({
        maxLength: 100,
        description: 'A hash of the texts of the thesis that the model was given.',
      }),
    ),
  }),
)
export type ScoredThesis = Static<typeof ScoredThesis>

/** The score for one criterion. */
export const Criterion = Strict(
  Named('Criterion', {
    name: Type.String({ minLength: 1, maxLength: 100 }),
    weight: Type.Number({ minimum: 0, maximum: 1, description: 'The share in the overall score.' }),
    score,
    reason: Type.String({ maxLength: 2000 }),
    evidence: Type.Array(Type.String({ maxLength: 500 }), {
      maxItems: 20,
      description: 'Quotes from the record that support the score. A score above 50 has at least one.',
    }),
  }),
)
export type Criterion = Static<typeof Criterion>

/** Leaves room for the fields that are added to a score in `llm_score_details`. */
const MAX_SCORE_BYTES = 63 * 1024

/** A company's score, as a worker submits it. It becomes `llm_score_details`, and `overall` becomes `llm_score_overall`. */
export const Score = {
  'x-max-bytes': MAX_SCORE_BYTES,
  ...Strict(
    Named('Score', {
      overall: score,
      model: Type.String({ minLength: 1, maxLength: 200 }),
      prompt_version: Type.Integer({ minimum: 1 }),
      input_hash: Type.String({
        maxLength: 100,
        description: 'A hash of the record and the thesis that the model was given.',
      }),
      thesis: Nullable(ScoredThesis),
      criteria: Type.Array(Criterion, { minItems: 1, maxItems: 20 }),
      warnings: Type.Array(Type.String({ maxLength: 1000 }), {
        maxItems: 20,
        description:
          'Points for a person to check, such as text in the record that reads like instructions to the model.',
      }),
    }),
  ),
}
export type Score = Static<typeof Score>

/** `llm_score_details` after a bulk action. */
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
      reason: 'It makes the kind of robot that the thesis looks for, for warehouses of that size.',
      evidence: ['Picking robots for mid-sized warehouses'],
    },
  ],
  warnings: [],
}

/** The same as a company has it, with the bulk action that wrote it. */
export const storedScoreExample = {
  ...scoreExample,
  scored_at: '2026-03-02T09:30:04.000Z',
  bulk_action_id: 'ba_01jw3f8x62k8m0p4r6t9w1y3z5',
}
