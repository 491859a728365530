import { type Static, Type } from 'typebox'
import { ABOUT_TYPES, NamedAboutEntry } from '#src/features/activity/about-schema.ts'
import { repeatedFilter } from '#src/platform/filter/schema.ts'
import { Named, OneOf, Strict } from '#src/platform/schema/shapes.ts'

export { ABOUT_TYPES, NamedAboutEntry }
export type AboutType = (typeof ABOUT_TYPES)[number]

export const MAX_ABOUT = 50

/** A record that another one is about. */
export const AboutEntry = Strict(
  Named('AboutEntry', {
    type: OneOf(ABOUT_TYPES),
    id: Type.String({ minLength: 1, maxLength: 100 }),
    name: Type.Optional(Type.Unknown({ readOnly: true, description: 'Read-only. It is ignored.' })),
  }),
)
export type AboutEntry = Static<typeof AboutEntry>

/** The filter of a list by what its records are about. */
export const aboutFilter = (description: string) =>
  repeatedFilter({
    pattern: '^(?:cmp|df|per|th)_.+$',
    'x-allowed': 'the id of a company, deal, person, or thesis, which begins with cmp_, df_, per_, or th_',
    description,
  })

export const About = Type.Array(AboutEntry, {
  minItems: 1,
  maxItems: MAX_ABOUT,
  description: `The companies, deals, people, and theses that it is about: 1 to ${MAX_ABOUT}.`,
})
