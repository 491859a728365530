import { type Static, Type } from 'typebox'
import { Named, Nullable, OneOf } from '#src/platform/schema/shapes.ts'

/** Why two companies may be the same. */
export const DUPLICATE_REASONS = ['same_domain', 'same_name', 'similar_name'] as const
export type DuplicateReason = (typeof DUPLICATE_REASONS)[number]

/** Pairs with a lower score are not reported. */
export const MIN_DUPLICATE_SCORE = 0.5
/** The best possible duplicates of one company. */
export const MAX_POSSIBLE_DUPLICATES = 10

export const DuplicateScore = Type.Number({
  minimum: MIN_DUPLICATE_SCORE,
  maximum: 1,
  description: 'How likely the two are the same company: 1 for the same name, website and country.',
})

export const DuplicateReasons = Type.Array(OneOf(DUPLICATE_REASONS), {
  minItems: 1,
  description:
    '`same_domain`: the same registrable domain, or the same page of a shared host. `same_name`, `similar_name`: without the legal form.',
})

const CompanySummary = Named('CompanySummary', {
  id: Type.String(),
  name: Type.String(),
  website: Nullable(Type.String()),
  country: Nullable(Type.String()),
  country_code: Nullable(Type.String()),
  hq_city: Nullable(Type.String()),
  industry_category: Nullable(Type.String()),
  status: Type.String(),
  created_at: Type.String({ format: 'date-time' }),
})
export type CompanySummary = Static<typeof CompanySummary>

export const PossibleDuplicate = Named('PossibleDuplicate', {
  company: CompanySummary,
  score: DuplicateScore,
  reasons: DuplicateReasons,
})
export type PossibleDuplicate = Static<typeof PossibleDuplicate>

export const possibleDuplicateExample: PossibleDuplicate = {
  company: {
    id: 'cmp_01jw3f8x5zfq2v5n6k7m8p9r0s',
    name: 'Nordlys Robotics',
    website: 'https://nordlys-robotics.example',
    country: 'Norway',
    country_code: 'NO',
    hq_city: 'Trondheim',
    industry_category: 'Robotics',
    status: 'active',
    created_at: '2026-03-02T09:30:00.000Z',
  },
  score: 0.96,
  reasons: ['same_domain', 'similar_name'],
}
