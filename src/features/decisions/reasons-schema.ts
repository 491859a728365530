import { type Static, Type } from 'typebox'
import {
  Data,
  endpoint,
  IfMatch,
  Named,
  Nullable,
  readOnlyFields,
  Strict,
  Timestamp,
  Word,
} from '#src/platform/schema/shapes.ts'
import { MAX_REASONS } from './schema.ts'

export const MAX_REASON_LABEL_LENGTH = 100

const label = Type.String({ minLength: 1, maxLength: MAX_REASON_LABEL_LENGTH, pattern: '\\S' })

const ReasonDefinition = Strict(
  Type.Object(
    {
      key: Type.String({
        ...Word,
        description: 'What `reasons` of decisions have: a lower_snake_case word.',
      }),
      label,
    },
    { title: 'ReasonDefinition' },
  ),
)

export const ReasonConfig = Named('ReasonConfig', {
  reasons: Type.Array(Named('ConfiguredReason', { key: Type.String(), label }), {
    description: 'In the order in which forms offer them.',
  }),
  updated_at: Timestamp,
  updated_by: Nullable(
    Type.String({ description: 'The user who last changed the reasons; null if unknown.' }),
  ),
})
export type ReasonConfig = Static<typeof ReasonConfig>

const reasons = [
  { key: 'too_early', label: 'Too early' },
  { key: 'valuation', label: 'Valuation' },
]

export const ReasonConfigBody = Strict(
  Type.Object(
    {
      reasons: Type.Array(ReasonDefinition, {
        minItems: 1,
        maxItems: MAX_REASONS,
        description: 'All reasons in their order.',
      }),
      ...readOnlyFields(['updated_at', 'updated_by']),
    },
    { title: 'ReasonConfigBody', examples: [{ reasons }] },
  ),
)
export type ReasonConfigBody = Pick<Static<typeof ReasonConfigBody>, 'reasons'>

const example: ReasonConfig = {
  reasons,
  updated_at: '2026-03-02T09:30:00.000Z',
  updated_by: 'ada@example.com',
}
const tags = ['Decisions']

export const getReasonConfig = endpoint('GET', '/api/decisions/reasons', {
  operationId: 'getReasonConfig',
  'x-action': 'read',
  tags,
  summary: 'Read the configured reasons for decisions',
  description: 'In their order. Decisions may have other reasons, which were configured once.',
  response: { 200: Data(ReasonConfig, example) },
})

export const putReasonConfig = endpoint('PUT', '/api/decisions/reasons', {
  operationId: 'putReasonConfig',
  'x-action': 'configure',
  tags,
  summary: 'Replace the configured reasons for decisions',
  description: 'Decisions are not changed: those with a reason that is left out keep it.',
  headers: IfMatch,
  body: ReasonConfigBody,
  response: { 200: Data(ReasonConfig, example) },
})
