import { type Static, Type } from 'typebox'
import { Named, Nullable, OneOf, pageQuery, Strict } from '#src/platform/schema/shapes.ts'
import { WordOf } from './schema.ts'

const COMPANY_STATES = ['pending', 'processed', 'failed'] as const

/** A company's place in a bulk action, and what the action did with it. */
export const BulkActionCompany = Named('BulkActionCompany', {
  company_id: Type.String(),
  name: Type.String(),
  state: OneOf(COMPANY_STATES),
  attempts: Type.Integer(),
  error_kind: Nullable(Type.String()),
  error: Nullable(Type.String()),
  previous_score: Nullable(Type.Integer({ description: 'Of llm_score: the score before.' })),
  score: Nullable(
    Type.Integer({
      description:
        'Of llm_score: the score that the action found. null: there was nothing to do, or it was not asked for.',
    }),
  ),
  kept: Type.Boolean({ description: 'Whether the company keeps previous_score, which a person entered.' }),
})

/** Which places of an action to list, and in which order. */
export const BulkActionCompanyQuery = Strict(
  Type.Object({
    ...pageQuery(),
    state: Type.Optional(WordOf(COMPANY_STATES)),
    sort: Type.Optional(
      OneOf(['company_id', 'change'], {
        default: 'company_id',
        description:
          'change: the largest difference between score and previous_score first, then companies without a previous_score, ' +
          'then those that keep an entered score.',
      }),
    ),
  }),
)
export type BulkActionCompanyQuery = Static<typeof BulkActionCompanyQuery>
