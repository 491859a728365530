import { isDeepStrictEqual } from 'node:util'
import { type Action, requireUnchanged } from '#src/features/activity/index.ts'
import {
  type AboutEntry,
  type LinkPatch,
  MAX_ABOUT,
  peopleEntries,
  type Relation,
  readNames,
  replaceLinks,
  requireAbout,
  requireParticipants,
  targetsIn,
} from '#src/features/links/index.ts'
import type { Viewer } from '#src/features/visibility/index.ts'
import type { Db } from '#src/platform/database/database.ts'
import type { Json } from '#src/platform/database/sql.ts'
import { Forbidden, InvalidInput, orNotFound } from '#src/platform/errors.ts'
import { idsOf } from '#src/platform/ids.ts'
import { normalizeSpaces } from '#src/platform/schema/normalize-input.ts'
import { withoutReadOnly } from '#src/platform/schema/read-only.ts'
import { requireAuthor, requireMentions, requireText } from './create.ts'
import { requireNote } from './find.ts'
import { MAX_PARTICIPANTS, NOTE_READ_ONLY, type Note, type NotePatch } from './schema.ts'
import { lockNotes, type NoteFields, readNote, type StoredNote } from './store.ts'
import { writeChanges } from './write-changes.ts'

/** Checks that the caller may change a note of this author. @throws MissingPermission */
export type AuthorizeChange = (author_email: string | null) => void

/**
 * Changes a note and records it. Writes nothing if no field differs.
 * @param ifMatch the If-Match header
 * @throws NotFound, also if the user cannot see it, MissingPermission, Forbidden for who can see someone else's note,
 *   PreconditionFailed if it has changed since, InvalidInput that names the field that is wrong
 */
export const updateNote = (
  db: Db,
  authorize: AuthorizeChange,
  action: Action,
  id: string,
  body: NotePatch,
  ifMatch: string | undefined,
): Promise<{ note: Json; isChanged: boolean }> =>
  db.transaction().execute(async (transaction) => {
    const viewer = action.user
    const current: Note = JSON.parse(await requireNote(transaction, viewer, id))
    authorize(current.author_email)
    const { about, participants, ...patch } = withoutPresentLinks(
      current,
      withoutReadOnly(body, NOTE_READ_ONLY),
    )
    if (current.parent_id) requireSameAsParent(current, { ...patch, about })
    // Merges lock records before the notes about them.
    else if (about) await requireAbout(transaction, about)
    if (participants) await requireParticipants(transaction, participants)
    const [locked, parent] = await lockWithParent(transaction, current)
    const before = orNotFound(locked, 'note', id)
    await requireUnchanged(transaction, ifMatch, 'note', before)
    const fields = normalizePatch(patch)
    requireMayChange(viewer, before, fields)
    if (fields.body !== undefined) requireText(fields.body)
    if (fields.mentions) {
      const added = fields.mentions.filter((email) => !before.mentions.includes(email))
      if (added.length > 0) await requireMentions(transaction, fields.mentions, parent)
    }
    const links = {
      ...(about && (await newLinks(transaction, before, 'about', about))),
      ...(participants && (await newLinks(transaction, before, 'participants', peopleEntries(participants)))),
    }
    const changed = await writeChanges(transaction, action, [{ before, fields, links }])
    const note = orNotFound(await readNote(transaction, viewer, id), 'note', id)
    return { note, isChanged: changed.length > 0 }
  })

/** Locks a note, and the one that it is a reply to. */
async function lockWithParent(
  transaction: Db,
  { id, parent_id }: Note,
): Promise<[note: StoredNote | undefined, parent: StoredNote | undefined]> {
  const locked = await lockNotes(transaction, parent_id ? [id, parent_id] : [id])
  return [locked.find((note) => note.id === id), locked.find((note) => note.id === parent_id)]
}

/** @throws Forbidden for a change of who can see the note of someone else */
function requireMayChange(viewer: Viewer, before: StoredNote, { visibility, mentions }: NoteFields): void {
  if (visibility !== undefined && visibility !== before.visibility) {
    requireAuthor(viewer)
    if (viewer?.email !== before.author_email)
      throw new Forbidden('Only the author of a note may change its visibility.')
  }
  if (before.visibility === 'team' || before.parent_id || !mentions || viewer?.email === before.author_email)
    return
  if (!isDeepStrictEqual(new Set(mentions), new Set(before.mentions)))
    throw new Forbidden(
      'Only the author of a private note may change its mentions: those mentioned can read it.',
    )
}

/** The fields as they are stored. */
function normalizePatch(patch: Omit<NotePatch, 'about' | 'participants'>) {
  const { title, happened_at, mentions } = patch
  return {
    ...patch,
    ...(title && { title: normalizeSpaces(title) }),
    ...(happened_at && { happened_at: new Date(happened_at).toISOString() }),
    ...(mentions && { mentions: [...new Set(mentions)] }),
  }
}

/**
 * The patch without links that are as they were read. Their number may be any: records are restored and purged.
 * @throws InvalidInput for too many new links, or none
 */
function withoutPresentLinks(current: Note, { about, participants, ...patch }: NotePatch): NotePatch {
  const isPresent = {
    about: about?.map(nameOf).join(' ') === current.about.map(nameOf).join(' '),
    participants: participants?.join(' ') === idsOf(current.participants).join(' '),
  }
  if (about && !isPresent.about && (about.length === 0 || about.length > MAX_ABOUT))
    throw new InvalidInput(`about must be an array of 1 to ${MAX_ABOUT} entries, but has ${about.length}.`)
  if (participants && !isPresent.participants && participants.length > MAX_PARTICIPANTS)
    throw new InvalidInput(
      `participants must be an array of at most ${MAX_PARTICIPANTS} entries, but has ${participants.length}.`,
    )
  return {
    ...patch,
    ...(about && !isPresent.about && { about }),
    ...(participants && !isPresent.participants && { participants }),
  }
}

const nameOf = ({ type, id }: AboutEntry): string => `${type} ${id}`

/** @throws InvalidInput for a field of a reply that differs from that of its parent */
function requireSameAsParent({ visibility }: Note, patch: Pick<NotePatch, 'visibility' | 'about'>): void {
  const isOther = {
    visibility: patch.visibility !== undefined && patch.visibility !== visibility,
    about: patch.about !== undefined,
  }
  for (const [field, other] of Object.entries(isOther))
    if (other) throw new InvalidInput(`A reply takes ${field} from its parent. Change it there.`)
}

/** Links to records in the trash, which the caller does not see, stay. */
async function newLinks(
  transaction: Db,
  before: StoredNote,
  relation: Relation,
  targets: AboutEntry[],
): Promise<LinkPatch> {
  const present = targetsIn(before.links, relation)
  // Not locked: merges lock records before the notes about them.
  const existing = await readNames(transaction, present)
  const hidden = present.map(({ id }) => id).filter((target) => !existing.has(target))
  return replaceLinks(before.links, relation, targets, new Set(hidden))
}
