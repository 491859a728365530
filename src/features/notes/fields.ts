import { type RawBuilder, sql } from 'kysely'
import type { FieldKind } from '#src/features/fields/index.ts'
import { hasLinks, type Relation, recordsLinkedTo } from '#src/features/links/index.ts'
import { type Fields, fieldsByName, optionsOf } from '#src/platform/filter/fields.ts'
import { normalizeEmail, normalizeWord } from '#src/platform/schema/normalize-input.ts'
import { NOTE_KINDS, VISIBILITIES } from './schema.ts'
import { linkedNote } from './store.ts'

/** The condition that a note, or the one that it is a reply to, is linked to one of these records. */
const isLinked = (relations: readonly Relation[], ids: readonly string[]) => sql`(notes.id in (
  with linked as (${recordsLinkedTo(relations, ids)})
  select record_id from linked union all
  select reply.id from linked join notes reply on reply.parent_id = linked.record_id))`

const isAbout = (ids: readonly string[]): RawBuilder<unknown> => isLinked(['about'], ids)

/** The condition that a note is about one of these records, or that one of these people took part; also of its replies. */
export const isAboutOrWith = (ids: readonly string[]): RawBuilder<unknown> =>
  isLinked(['about', 'participants'], ids)

/** The condition that one of these people took part. */
export const hasParticipant = (ids: readonly string[]): RawBuilder<unknown> =>
  sql`(notes.id in (${recordsLinkedTo(['participants'], ids)}))`

/** The fields that notes can be filtered and sorted by. */
export const noteSearchFields: Fields = fieldsByName('note', [
  { name: 'id', label: 'ID', type: 'reference', sql: sql`notes.id`, isRequired: true },
  {
    name: 'kind',
    label: 'Kind',
    type: 'select',
    sql: sql`kind`,
    isRequired: true,
    options: optionsOf(NOTE_KINDS),
    normalize: normalizeWord,
  },
  { name: 'title', label: 'Title', type: 'text', sql: sql`title` },
  {
    name: 'about',
    label: 'About',
    type: 'multi_select',
    readsOtherTables: true,
    hasAnyOf: isAbout,
    isEmpty: sql`(not ${hasLinks('about', linkedNote)})`,
  },
  {
    name: 'participant',
    label: 'Participants',
    type: 'multi_select',
    readsOtherTables: true,
    hasAnyOf: hasParticipant,
    isEmpty: sql`(not ${hasLinks('participants', sql`notes.id`)})`,
  },
  {
    name: 'mentions',
    label: 'Mentions',
    type: 'multi_select',
    normalize: normalizeEmail,
    hasAnyOf: (values) => sql`(mentions && ${values}::text[])`,
    isEmpty: sql`(mentions = '{}')`,
  },
  { name: 'author_email', label: 'Author', type: 'user', sql: sql`author_email` },
  {
    name: 'visibility',
    label: 'Visibility',
    type: 'select',
    sql: sql`visibility`,
    isRequired: true,
    options: optionsOf(VISIBILITIES),
    normalize: normalizeWord,
  },
  { name: 'pinned', label: 'Pinned', type: 'boolean', sql: sql`pinned`, isRequired: true },
  { name: 'happened_at', label: 'When', type: 'timestamp', sql: sql`happened_at`, isRequired: true },
  { name: 'created_at', label: 'Created', type: 'timestamp', sql: sql`created_at`, isRequired: true },
  { name: 'updated_at', label: 'Updated', type: 'timestamp', sql: sql`updated_at`, isRequired: true },
])

/** The fields of notes, for the list of fields. */
export const noteFieldKind = {
  entity: 'note',
  readFields: async () => noteSearchFields,
} satisfies FieldKind
