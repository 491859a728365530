import { type Static, Type } from 'typebox'
import { NamedAboutEntry } from '#src/features/links/schema.ts'
import { LogoUrl, logoUrlExample } from '#src/features/logos/schema.ts'
import { VISIBILITIES } from '#src/features/notes/schema.ts'
import { Data, endpoint, Named, Nullable, OneOf, Strict } from '#src/platform/schema/shapes.ts'

export const FOUND_TYPES = ['company', 'person', 'deal', 'thesis', 'view', 'note', 'file'] as const
export const MAX_QUICK_SEARCH_LENGTH = 200
/** How many records of each type are found. */
export const MAX_FOUND = 8

export const FoundRecord = Named('FoundRecord', {
  type: OneOf(FOUND_TYPES),
  id: Type.String(),
  name: Type.String({
    description:
      'For a deal, the name of its company; for a thesis, its title; for a note, its title or its first line.',
  }),
  detail: Nullable(
    Type.String({
      description:
        'For a company, its industry; for a person, the company, the primary one first; for a deal, its stage; for a thesis, its code; for a view, the records that it shows; for a note, the text around the words that were found; for a file, the first page with the words and the text around them, or null if only its name has them.',
    }),
  ),
  logo_url: LogoUrl,
  page: Type.Optional(
    Nullable(
      Type.Integer({ description: 'The page of a file with the words; null if only its name has them.' }),
    ),
  ),
  about: Type.Optional(
    Type.Array(NamedAboutEntry, { description: 'The records that a note or a file is about.' }),
  ),
  visibility: Type.Optional({ ...OneOf(VISIBILITIES), description: 'Who can see a note or a file.' }),
})
export type FoundRecord = Static<typeof FoundRecord>

export const QuickSearchQuery = Strict(
  Type.Object({
    q: Type.String({
      'x-normalize': 'text',
      minLength: 1,
      pattern: '\\S',
      maxLength: MAX_QUICK_SEARCH_LENGTH,
      description:
        'Words, in any order, also inside words. Case, accents, and spellings such as "oe" for "ö" are ignored. A web address stands for its domain.',
    }),
  }),
)

export const findRecords = endpoint('GET', '/api/search', {
  operationId: 'findRecords',
  'x-action': 'read',
  tags: ['Search'],
  summary: 'Find companies, people, deals, theses, views, notes and files',
  description: `For jumping to a record while its name is typed: up to ${MAX_FOUND} of each type. Companies whose names begin
with the text come first, then those whose names contain all words. If these are fewer than ${MAX_FOUND}, companies follow that the
\`search\` of the list of companies finds, by website before description. People are found by name, then by email address, headline, phone number, and company. Deals are those of the
companies that were found. Theses are found by code and title, and views, of those that you may see, by name. These and
people whose names contain the words come before companies if no name of a company contains them. Notes come last, found by words,
or beginnings of words, of their titles and texts, and then files, by those of their names or of one of their pages.`,
  querystring: QuickSearchQuery,
  response: {
    200: Data(Type.Array(FoundRecord), [
      {
        type: 'company',
        id: 'cmp_01jw3f8x5zfq2v5n6k7m8p9r0s',
        name: 'Nordlys Robotics',
        detail: 'Robotics',
        logo_url: logoUrlExample,
      },
    ]),
  },
})
