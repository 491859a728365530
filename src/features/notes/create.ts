import { type Action, recordAction } from '#src/features/activity/index.ts'
import {
  type AboutEntry,
  insertLinks,
  type LinkPatch,
  peopleEntries,
  replaceLinks,
  requireAbout,
  requireParticipants,
} from '#src/features/links/index.ts'
import { requireUsers } from '#src/features/users/index.ts'
import { setReaders, type Viewer } from '#src/features/visibility/index.ts'
import type { Db } from '#src/platform/database/database.ts'
import type { Json } from '#src/platform/database/sql.ts'
import { InvalidInput, InvalidReference, orNotFound } from '#src/platform/errors.ts'
import { idTime, newId } from '#src/platform/ids.ts'
import { normalizeSpaces } from '#src/platform/schema/normalize-input.ts'
import { MAX_BODY_BYTES, type NewNote } from './schema.ts'
import { insertNoteRows, lockNotes, readNote, type StoredNote } from './store.ts'
import { noteActivity, readersOf } from './write-changes.ts'

/**
 * Writes a note or a reply, and records it.
 * @throws InvalidInput that names the field: a body without text or that is too long, a record, a person, a user or a note
 *   that does not exist, and a private note without an author
 */
export const createNote = (db: Db, action: Action, body: NewNote): Promise<Json> =>
  db.transaction().execute(async (transaction) => {
    const author = action.user
    const { parent_id, about, participants = [], ...fields } = body
    if (parent_id !== undefined) requireNoneOfParent(body)
    else if (!about)
      throw new InvalidInput(
        'about is required: the records that the note is about. A reply has parent_id instead.',
      )
    if (fields.visibility === 'private') requireAuthor(author)
    requireText(fields.body)
    // Merges lock records before the notes about them.
    await requireAbout(transaction, about ?? [])
    await requireParticipants(transaction, participants)
    const parent = parent_id === undefined ? undefined : await requireParent(transaction, author, parent_id)
    const mentions = distinct(fields.mentions ?? [])
    await requireMentions(transaction, mentions, parent)
    const note = newNote(newId('note'), {
      ...fields,
      mentions,
      participants,
      author_email: author?.email ?? null,
      ...(parent ? { parent } : { about: about ?? [] }),
    })
    await insertNotes(transaction, action, [note])
    return orNotFound(await readNote(transaction, author, note.id), 'note', note.id)
  })

const distinct = (texts: readonly string[]): string[] => [...new Set(texts)]

/** @throws InvalidInput if a body has no text, or too much */
export function requireText(body: string): void {
  if (!/\S/.test(body)) throw new InvalidInput('body must have text, not only white space.')
  const bytes = Buffer.byteLength(body)
  if (bytes > MAX_BODY_BYTES)
    throw new InvalidInput(
      `body must have at most 100 KB (${MAX_BODY_BYTES} bytes in UTF-8), but has ${bytes} bytes.`,
    )
}

/** @throws InvalidInput for a private note that no one could read */
export function requireAuthor(author: Viewer): void {
  if (!author)
    throw new InvalidInput(
      'visibility must be team without a user: no one could read a private note. Sign in, or send an email address.',
    )
}

/**
 * @param parent the private note that the mentions are in a reply to
 * @throws InvalidInput for an address that is not that of a user, or of someone who cannot read the reply
 */
export async function requireMentions(
  transaction: Db,
  mentions: readonly string[],
  parent?: StoredNote,
): Promise<void> {
  await requireUsers(
    transaction,
    mentions.map((email, index) => [`mentions[${index}]`, email]),
  )
  const readers = parent && readersOf(parent)
  const index = readers ? mentions.findIndex((email) => !readers.includes(email)) : -1
  if (index >= 0)
    throw new InvalidInput(
      `mentions[${index}] must be someone who can read the private note that this is a reply to, not ${mentions[index]}. Mention them in that note first.`,
    )
}

/** The note that a reply is to, which stays until the transaction ends. */
async function requireParent(transaction: Db, viewer: Viewer, id: string): Promise<StoredNote> {
  const isVisible = (await readNote(transaction, viewer, id)) !== undefined
  const [parent] = isVisible ? await lockNotes(transaction, [id]) : []
  if (!parent) throw new InvalidReference('parent_id must be the id of a note', [id], 'POST /api/notes')
  if (parent.parent_id)
    throw new InvalidInput(
      `parent_id must be the id of a note that is no reply itself; ${id} is a reply to ${parent.parent_id}.`,
    )
  return parent
}

/** @throws InvalidInput for fields of a new reply that it has from its parent */
function requireNoneOfParent(body: NewNote): void {
  for (const field of ['about', 'visibility'] as const)
    if (body[field] !== undefined)
      throw new InvalidInput(`${field} must not be sent with parent_id: a reply takes it from its parent.`)
}

/** A new note as it is stored, with what only its creation needs. */
interface InsertedNote extends StoredNote {
  /** What its readers depend on. */
  parent?: StoredNote | undefined
}

/**
 * A new note with defaults. Its records and users are checked already.
 * @param fields `about` of a note, or the `parent` of a reply
 */
export function newNote(
  id: string,
  {
    about = [],
    participants = [],
    parent,
    ...fields
  }: Omit<NewNote, 'about' | 'parent_id'> & {
    about?: readonly AboutEntry[]
    parent?: StoredNote
    author_email: string | null
    source?: string | null
  },
): InsertedNote {
  const time = idTime(id).toISOString()
  const links: LinkPatch = {
    ...replaceLinks({}, 'about', about),
    ...replaceLinks({}, 'participants', peopleEntries(participants)),
  }
  return {
    id,
    kind: 'note',
    mentions: [],
    pinned: false,
    source: null,
    ...fields,
    title: fields.title ? normalizeSpaces(fields.title) : null,
    happened_at: new Date(fields.happened_at ?? time).toISOString(),
    visibility: parent?.visibility ?? fields.visibility ?? 'team',
    parent_id: parent?.id ?? null,
    links: links as StoredNote['links'],
    created_at: time,
    updated_at: time,
    parent,
  }
}

/** Stores new notes with their links and readers, and records them. */
export async function insertNotes(
  transaction: Db,
  action: Action,
  notes: readonly InsertedNote[],
): Promise<void> {
  if (notes.length === 0) return
  await insertNoteRows(
    transaction,
    notes.map(({ parent: _parent, ...note }) => note),
  )
  await insertLinks(
    transaction,
    notes.map(({ id, links }) => ({ record_id: id, links })),
  )
  const restricted = notes.filter(({ visibility }) => visibility === 'private')
  await setReaders(
    transaction,
    restricted.map((note) => ({ id: note.id, readers: readersOf(note, note.parent) })),
  )
  await recordAction(
    transaction,
    action,
    notes.map(({ id }) => noteActivity('note_created', id)),
  )
}
