import { type Static, Type } from 'typebox'
import { About, aboutFilter, MAX_ABOUT, NamedAboutEntry } from '#src/features/links/schema.ts'
import {
  filterParameter,
  repeatedChoice,
  repeatedFilter,
  repeatedUserFilter,
  sortParameter,
} from '#src/platform/filter/schema.ts'
import { UserEmail } from '#src/platform/schema/email-address.ts'
import { Named, Nullable, OneOf, Patch, pageQuery, Strict, Timestamp } from '#src/platform/schema/shapes.ts'

export const NOTE_KINDS = ['note', 'call', 'meeting', 'email'] as const
export const VISIBILITIES = ['team', 'private'] as const
/** The limit of a body, in bytes of UTF-8. */
export const MAX_BODY_BYTES = 100 * 1024
export const MAX_TITLE_LENGTH = 300
export const MAX_MENTIONS = 50
export const MAX_PARTICIPANTS = 50

/** The writable fields. */
const noteProperties = {
  kind: OneOf(NOTE_KINDS),
  title: Nullable(Type.String({ minLength: 1, maxLength: MAX_TITLE_LENGTH, pattern: '\\S' })),
  body: Type.String({ description: 'Markdown of up to 100 KB.' }),
  happened_at: Type.String({
    format: 'date-time',
    description: 'When it was said. By default, now. It may be in the past.',
  }),
  about: About,
  mentions: Type.Array(UserEmail, {
    maxItems: MAX_MENTIONS,
    description: 'Users whose attention the note asks for. They can read a private note.',
  }),
  participants: Type.Array(Type.String({ maxLength: 100 }), {
    maxItems: MAX_PARTICIPANTS,
    description: 'The ids of the people who took part.',
  }),
  pinned: Type.Boolean({ description: 'Whether lists of a record show it first.' }),
  visibility: {
    ...OneOf(VISIBILITIES),
    description: '`private`: only the author and those mentioned can see it. A reply has that of its parent.',
  },
}

export const Note = Named('Note', {
  id: Type.String(),
  ...noteProperties,
  happened_at: Timestamp,
  about: Type.Array(NamedAboutEntry),
  participants: Type.Array(Named('Participant', { id: Type.String(), name: Type.String() })),
  parent_id: Nullable(Type.String({ description: 'The note that this is a reply to.' })),
  replies: Type.Integer({ description: 'The number of replies.' }),
  author_email: Nullable(Type.String()),
  source: Nullable(
    Type.String({ description: 'Where it came from, such as a file; null: it was written here.' }),
  ),
  created_at: Timestamp,
  updated_at: Timestamp,
})
export type Note = Static<typeof Note>

const Range = Type.Unsafe<[start: number, end: number]>({
  ...Type.Array(Type.Integer(), { minItems: 2, maxItems: 2 }),
})

/** A note in a list. A search adds the passage that it found. */
export const ListedNote = Named('ListedNote', {
  ...Note.properties,
  passage: Type.Optional(
    Named('NotePassage', {
      text: Type.String({ description: 'Plain text around the first words that were found.' }),
      matches: Type.Array(Range, {
        description: 'Start and end of each word that was found, as positions in `text`.',
      }),
    }),
  ),
})
export type ListedNote = Static<typeof ListedNote>

export const noteExample: Note = {
  id: 'note_01jw3f8x6b2d4f6h8k0m2p4r6t',
  kind: 'call',
  title: 'Pricing',
  body: 'They charge **per robot**. Ask about churn in May.',
  happened_at: '2026-03-02T09:00:00.000Z',
  about: [{ type: 'company', id: 'cmp_01jw3f8x5zfq2v5n6k7m8p9r0s', name: 'Nordlys Robotics' }],
  mentions: ['ben@example.com'],
  participants: [{ id: 'per_01jw3f8x67q4e6g8j0m2p4r6t8', name: 'Ingrid Solberg' }],
  pinned: false,
  parent_id: null,
  replies: 0,
  visibility: 'team',
  author_email: 'ada@example.com',
  source: null,
  created_at: '2026-03-02T09:30:00.000Z',
  updated_at: '2026-03-02T09:30:00.000Z',
}

const { body, ...optionalFields } = noteProperties

export const NewNote = Strict(
  Type.Object(
    {
      body,
      ...Type.Partial(Type.Object(optionalFields)).properties,
      parent_id: Type.Optional(
        Type.String({
          maxLength: 100,
          description:
            'The note that this is a reply to, which is no reply itself. A reply is about the same records, so `about` must not be sent.',
        }),
      ),
    },
    {
      title: 'NewNote',
      examples: [
        {
          kind: 'call',
          title: noteExample.title,
          body: noteExample.body,
          about: [{ type: 'company', id: 'cmp_01jw3f8x5zfq2v5n6k7m8p9r0s' }],
        },
      ],
    },
  ),
)
export type NewNote = Static<typeof NewNote>

/** Fields that a PATCH ignores. */
export const NOTE_READ_ONLY = [
  'id',
  'parent_id',
  'replies',
  'author_email',
  'source',
  'passage',
  'created_at',
  'updated_at',
] as const

const canBeSentBack = 'What was read can be sent back, also after records were restored or purged.'

/** The number of entries is checked with what the note has. */
const unlimited = {
  about: Type.Array(noteProperties.about.items, {
    description: `What it is about: 1 to ${MAX_ABOUT} records. ${canBeSentBack}`,
  }),
  participants: Type.Array(noteProperties.participants.items, {
    description: `The ids of up to ${MAX_PARTICIPANTS} people who took part. ${canBeSentBack}`,
  }),
}

export const NotePatch = {
  ...Patch({ ...noteProperties, ...unlimited }, NOTE_READ_ONLY),
  title: 'NotePatch',
  examples: [{ pinned: true }],
}
export type NotePatch = Static<typeof NotePatch>

export const noteFilters = {
  search: Type.Optional(
    Type.String({
      'x-normalize': 'text',
      maxLength: 1000,
      description:
        'Words, or beginnings of words, of the title and the body, in any order. Case and accents are ignored.',
    }),
  ),
  about: aboutFilter('The id of a record that the note is about, or of a person who took part.'),
  kind: repeatedChoice(NOTE_KINDS),
  author_email: repeatedUserFilter(),
  mentions: repeatedUserFilter(),
  participant: repeatedFilter({ description: 'The id of a person who took part.' }),
  parent_id: repeatedFilter({ description: 'The id of a note: its replies, oldest first.' }),
  pinned: Type.Optional(Type.Boolean()),
  visibility: repeatedChoice(VISIBILITIES),
  filter: filterParameter,
}

export type NoteFilters = Omit<NoteQuery, 'sort' | 'limit' | 'offset'>

export const NoteQuery = Strict(Type.Object({ ...pageQuery(), ...noteFilters, sort: sortParameter() }))
export type NoteQuery = Static<typeof NoteQuery>
