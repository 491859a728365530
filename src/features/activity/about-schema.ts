import { type Static, Type } from 'typebox'
import { Named, OneOf } from '#src/platform/schema/shapes.ts'

export const ABOUT_TYPES = ['company', 'deal', 'person', 'thesis'] as const

/** A record that another one is about, with its name. */
export const NamedAboutEntry = Named('NamedAboutEntry', {
  type: OneOf(ABOUT_TYPES),
  id: Type.String({ minLength: 1, maxLength: 100 }),
  name: Type.String({
    description:
      'The name of a company or person, the title of a thesis, and for a deal the name of its company.',
  }),
})
export type NamedAboutEntry = Static<typeof NamedAboutEntry>
