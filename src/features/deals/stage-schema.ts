import { type Static, Type } from 'typebox'
import { filterParameter, repeatedUserFilter, repeatedWordFilter } from '#src/platform/filter/schema.ts'
import {
  Data,
  endpoint,
  IfMatch,
  Named,
  Nullable,
  OneOf,
  readOnlyFields,
  Strict,
  Timestamp,
  Word,
} from '#src/platform/schema/shapes.ts'
import { Deal, dealExample, STUCK_DAYS } from './schema.ts'

export const OUTCOMES = ['won', 'lost'] as const
export const MAX_STAGES = 50
export const MAX_STAGE_LABEL_LENGTH = 100
/** Of each stage, with its totals. */
export const MAX_STAGE_DEALS = 100

const label = Type.String({ minLength: 1, maxLength: MAX_STAGE_LABEL_LENGTH, pattern: '\\S' })
const default_probability = Nullable(
  Type.Integer({
    minimum: 0,
    maximum: 100,
    description: 'Percentage. Counts for the deals of the stage that have no probability of their own.',
  }),
)
const outcome = Nullable(
  OneOf(OUTCOMES, { description: 'What the stage means for a deal; null: still open.' }),
)

const StageDefinition = Strict(
  Type.Object(
    {
      key: Type.String({ ...Word, description: 'The `stage` of deals: a lower_snake_case word.' }),
      label,
      default_probability: Type.Optional(default_probability),
      outcome: Type.Optional(outcome),
    },
    { title: 'StageDefinition' },
  ),
)

export const StageConfig = Named('StageConfig', {
  stages: Type.Array(Named('ConfiguredStage', { key: Type.String(), label, default_probability, outcome }), {
    description: 'In board order.',
  }),
  updated_at: Timestamp,
  updated_by: Nullable(
    Type.String({ description: 'The user who last changed the stages; null if unknown.' }),
  ),
})
export type StageConfig = Static<typeof StageConfig>

export const StageConfigBody = Strict(
  Type.Object(
    {
      stages: Type.Array(StageDefinition, {
        minItems: 1,
        maxItems: MAX_STAGES,
        description: 'All stages in board order.',
      }),
      ...readOnlyFields(['updated_at', 'updated_by']),
    },
    {
      title: 'StageConfigBody',
      examples: [
        {
          stages: [
            { key: 'initial', label: 'First look', default_probability: 10, outcome: null },
            { key: 'invested', label: 'Invested', default_probability: 100, outcome: 'won' },
          ],
        },
      ],
    },
  ),
)
export type StageConfigBody = Pick<Static<typeof StageConfigBody>, 'stages'>

const example: StageConfig = {
  stages: [
    { key: 'initial', label: 'First look', default_probability: 10, outcome: null },
    { key: 'invested', label: 'Invested', default_probability: 100, outcome: 'won' },
  ],
  updated_at: '2026-03-02T09:30:00.000Z',
  updated_by: 'ada@example.com',
}

export const DealStages = Type.Array(
  Named('DealStage', {
    stage: Type.String(),
    label: Type.String(),
    outcome,
    default_probability,
    deals: Type.Integer({ description: 'Number of deals in this stage.' }),
    expected: Type.Number({
      description:
        "Expected number of wins: the sum of the probabilities of the deals that can still be won, or the stage's default " +
        'for deals without one, to one decimal place.',
    }),
    amount_eur: Type.Number({ description: 'The sum of the amounts.' }),
    weighted_eur: Type.Number({
      description:
        "The sum of the amounts of the deals that can still be won, multiplied by the deals' probabilities, or by the " +
        "stage's default for deals without one.",
    }),
    stuck: Type.Integer({
      description: `Number of deals that can still be won, are not on hold, and have been in this stage for over ${STUCK_DAYS} days.`,
    }),
    records: Type.Array(Deal, { description: 'The first `limit` deals of the stage, most likely first.' }),
  }),
)
export type DealStages = Static<typeof DealStages>

export const StagesQuery = Strict(
  Type.Object({
    status: repeatedWordFilter(),
    owner_email: repeatedUserFilter(),
    filter: filterParameter,
    limit: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: MAX_STAGE_DEALS,
        default: 0,
        'x-capped': true,
        description: `How many deals of each stage to return with the totals. Capped at ${MAX_STAGE_DEALS}.`,
      }),
    ),
  }),
)
export type StagesQuery = Static<typeof StagesQuery>

const tags = ['Dealflow']

export const getDealStages = endpoint('GET', '/api/dealflow/stages', {
  operationId: 'getDealStages',
  'x-action': 'read',
  tags,
  summary: 'Count and sum up deals by stage',
  description:
    'The configured stages in board order, including empty ones, then others by name. A deal can still be won unless its ' +
    'status is won or lost, or its stage is for won or lost deals.',
  querystring: StagesQuery,
  response: {
    200: Data(DealStages, [
      {
        stage: 'term_sheet',
        label: 'Term sheet',
        outcome: null,
        default_probability: 70,
        deals: 3,
        expected: 1.9,
        amount_eur: 4_500_000,
        weighted_eur: 2_900_000,
        stuck: 1,
        records: [{ ...dealExample, stage: 'term_sheet' }],
      },
    ]),
  },
})

export const getStageConfig = endpoint('GET', '/api/dealflow/stages/config', {
  operationId: 'getStageConfig',
  'x-action': 'read',
  tags,
  summary: 'Read the configured stages',
  description: 'In board order. Deals may have other stages, which come last.',
  response: { 200: Data(StageConfig, example) },
})

export const putStageConfig = endpoint('PUT', '/api/dealflow/stages/config', {
  operationId: 'putStageConfig',
  'x-action': 'configure',
  tags,
  summary: 'Replace the configured stages',
  description:
    'Deals are not changed: those in a stage that is left out keep it, and it is listed last until it is empty.',
  headers: IfMatch,
  body: StageConfigBody,
  response: { 200: Data(StageConfig, example) },
})
