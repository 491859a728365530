import {
  type Action,
  type Changes,
  changesOf,
  type NewActivity,
  recordAction,
} from '#src/features/activity/index.ts'
import { type LinkPatch, touchRecords, writeLinks } from '#src/features/links/index.ts'
import { type Readers, setReaders } from '#src/features/visibility/index.ts'
import type { Db } from '#src/platform/database/database.ts'
import { timeAfter } from '#src/platform/database/sql.ts'
import { lockReplies, type NoteFields, readReplies, type StoredNote, writeNote } from './store.ts'

/** A change to a note that the transaction has locked. */
interface NoteChange {
  before: StoredNote
  fields?: NoteFields
  links?: LinkPatch
}

type Readable = Pick<StoredNote, 'visibility' | 'author_email' | 'mentions'>

/** Who may see a note. Those of a reply are its own author and those of its parent. */
export const readersOf = (
  { visibility, author_email, mentions }: Readable,
  parent?: Readable | undefined,
): Readers => {
  if ((parent ?? { visibility }).visibility === 'team') return null
  const emails = parent
    ? [author_email, parent.author_email, ...parent.mentions]
    : [author_email, ...mentions]
  return [...new Set(emails.filter((email) => email !== null))]
}

/** A note with each link as a field, by its name in the ledger. */
export const withLinkNames = <N extends { links: LinkPatch }>({
  links,
  ...fields
}: N): Omit<N, 'links'> & LinkPatch => ({ ...fields, ...links })

/**
 * Writes changes of notes and records them. Notes with no difference are left out. The visibility of a reply changes with that
 * of its parent only.
 * @returns the ids of those that have changed, and of replies with another visibility
 */
export async function writeChanges(
  transaction: Db,
  action: Action,
  changes: readonly NoteChange[],
): Promise<string[]> {
  const activities: NewActivity[] = []
  const links: { record_id: string; links: LinkPatch }[] = []
  const changed: string[] = []
  const withOtherReaders: StoredNote[] = []
  const compared = (await withReplies(transaction, changes)).map(
    ({ before, fields = {}, links: newLinks = {} }) => ({
      ...{ before, fields, newLinks, ofFields: changesOf(before, fields) },
      ofLinks: changesOf(before.links, newLinks, Object.keys(newLinks)),
    }),
  )
  const hasChanges = (differing: Changes) => Object.keys(differing).length > 0
  // Undoing a merge moves the links of many notes, in one statement.
  const times = await touchRecords(
    transaction,
    'notes',
    compared.flatMap(({ before, ofFields, ofLinks }) =>
      !hasChanges(ofFields) && hasChanges(ofLinks) ? [before.id] : [],
    ),
  )
  for (const { before, fields, newLinks, ofFields, ofLinks } of compared) {
    const differing = { ...ofFields, ...ofLinks }
    const names = Object.keys(differing)
    if (names.length === 0) continue
    const updated_at = times.get(before.id) ?? timeAfter(before.updated_at)
    if (hasChanges(ofFields)) await writeNote(transaction, before.id, { ...fields, updated_at })
    links.push({ record_id: before.id, links: newLinks })
    activities.push({
      ...{ activity_type: 'note_updated', entity_type: 'note', entity_id: before.id, timestamp: updated_at },
      ...{ metadata: { fields: names }, changes: differing },
    })
    changed.push(before.id)
    if (['visibility', 'mentions', 'author_email'].some((field) => field in differing))
      withOtherReaders.push({ ...before, ...fields })
  }
  for (const note of withOtherReaders) await updateReaders(transaction, note)
  await writeLinks(transaction, links)
  await recordAction(transaction, action, activities)
  return changed
}

/** The changes, with those of the replies to notes with another visibility. */
async function withReplies(transaction: Db, changes: readonly NoteChange[]): Promise<NoteChange[]> {
  const byId = new Map(
    changes.map(({ before, fields: { visibility, ...fields } = {}, links }) => [
      before.id,
      { before, fields: before.parent_id || !visibility ? fields : { ...fields, visibility }, links },
    ]),
  )
  const parents = changes.filter(
    ({ before: { parent_id, visibility }, fields }) =>
      !parent_id && fields?.visibility && fields.visibility !== visibility,
  )
  const visibilities = new Map(parents.map(({ before, fields }) => [before.id, fields?.visibility]))
  for (const before of await lockReplies(transaction, [...visibilities.keys()])) {
    const { fields, links } = byId.get(before.id) ?? {}
    const visibility = visibilities.get(before.parent_id as string) as StoredNote['visibility']
    byId.set(before.id, { before, fields: { ...fields, visibility }, links })
  }
  return [...byId.values()]
}

/** Stores who may see a note and its replies. A change of a reply never changes its readers. */
async function updateReaders(transaction: Db, note: StoredNote): Promise<void> {
  if (note.parent_id) return
  const replies = await readReplies(transaction, note.id)
  await setReaders(transaction, [
    { id: note.id, readers: readersOf(note) },
    ...replies.map(({ id, author_email }) => ({
      id,
      readers: readersOf({ ...note, author_email }, note),
    })),
  ])
}

/** An activity record about a note as a whole. */
export const noteActivity = (
  activity_type: `note_${'created' | 'deleted' | 'restored'}`,
  id: string,
): NewActivity => ({ activity_type, entity_type: 'note', entity_id: id })
