import { type Static, Type } from 'typebox'
import { Data, endpoint, Named } from '#src/platform/schema/shapes.ts'

/** The change of the pipeline is that since this many days ago, to the minute. */
export const PIPELINE_DAYS = 7

const week = Named('PipelineWeek', {
  weighted_eur: Type.Number({ description: `The weighted sum as it was ${PIPELINE_DAYS} days ago.` }),
  change_eur: Type.Number({ description: 'How much it has changed since.' }),
  entered: Type.Integer({ description: 'Deals that are in the pipeline now and were not then.' }),
  won: Type.Integer({ description: 'Deals that are won now and were not then.' }),
  lost: Type.Integer({ description: 'Deals that are lost now and were not then.' }),
})

export const PipelineStats = Named('PipelineStats', {
  weighted_eur: Type.Number({
    description: 'The sum of amount × probability of the deals with both, in euros.',
  }),
  deals: Type.Integer({ description: 'The deals in the pipeline.' }),
  without_amount: Type.Integer({ description: 'Those of them without an amount, which count as 0.' }),
  without_probability: Type.Integer({
    description: 'Those with an amount, but no probability of their own or of their stage, which count as 0.',
  }),
  week,
})
export type PipelineStats = Static<typeof PipelineStats>

export const getPipelineStats = endpoint('GET', '/api/stats/pipeline', {
  operationId: 'getPipelineStats',
  'x-action': 'read',
  tags: ['Stats'],
  summary: 'Read the weighted pipeline and its change this week',
  description:
    'The pipeline consists of the deals with the status active whose stage is not one for won or lost deals. A deal without ' +
    "a probability has the default one of its stage. The state a week ago is today's with the changes since then taken back, by " +
    'the present stages; deals that were deleted permanently since are left out.',
  response: {
    200: Data(PipelineStats, {
      weighted_eur: 4_250_000,
      deals: 12,
      without_amount: 2,
      without_probability: 0,
      week: { weighted_eur: 3_900_000, change_eur: 350_000, entered: 3, won: 1, lost: 2 },
    }),
  },
})
