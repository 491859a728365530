import { type Static, Type } from 'typebox'
import { repeatedChoice, repeatedFilter } from '#src/platform/filter/schema.ts'
import { Nullable, OneOf } from '#src/platform/schema/shapes.ts'

export const SOURCE_TYPES = ['person', 'company', 'user', 'channel'] as const
export type SourceType = (typeof SOURCE_TYPES)[number]

/** How a deal came in that no one in particular brought. */
export const SOURCE_CHANNELS = [
  'inbound',
  'event',
  'outreach',
  'portfolio',
  'network',
  'accelerator',
  'conference',
  'other',
] as const

/** Who or what brought a deal. Both are set, or neither. */
export const sourceProperties = {
  source_type: Nullable({
    ...OneOf(SOURCE_TYPES, {
      description: 'Who or what brought the deal. Needs source_id. null clears both.',
    }),
    'x-normalize': 'word' as const,
  }),
  source_id: Nullable(
    Type.String({
      minLength: 1,
      maxLength: 254,
      description: `The id of the person or company, the email address of the user, or for a channel one of ${SOURCE_CHANNELS.join(', ')}.`,
    }),
  ),
}
export const Source = Type.Object(sourceProperties)
export type Source = Static<typeof Source>

export const SourceName = Nullable(
  Type.String({
    description:
      'The present name of the person, company, user, or channel that brought the deal; null if it is in the trash, merged, ' +
      'or gone. Read-only.',
  }),
)

export const sourceExample = {
  source_type: 'person' as const,
  source_id: 'per_01jw3f8x67q4e6g8j0m2p4r6t8',
  source_name: 'Ingrid Solberg',
}

export const sourceFilters = {
  source_type: repeatedChoice(SOURCE_TYPES),
  source_id: repeatedFilter({ 'x-normalize': 'email' }),
}
