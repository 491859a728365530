import type { Action } from '#src/features/activity/index.ts'
import {
  findMissingTargets,
  keepLinkTargets,
  type LinkedKind,
  linkOf,
  splitLinks,
} from '#src/features/links/index.ts'
import type { Obstacle, PreviousValues, RecordKind } from '#src/features/trash/index.ts'
import type { Viewer } from '#src/features/visibility/index.ts'
import type { Db } from '#src/platform/database/database.ts'
import { idsOf } from '#src/platform/ids.ts'
import { trashNotes } from './remove.ts'
import { restoreNotes } from './restore.ts'
import { lockNotes, lockTrashedNotes, readAuthors, type StoredNote } from './store.ts'
import { writeChanges } from './write-changes.ts'

const withOwnLinks = (note: StoredNote) => ({ ...note, ...note.links })

/** How a merge moves the links of notes. */
export const linkedNotes: LinkedKind = {
  ...{ table: 'notes', prefix: 'note', entity_type: 'note', activity_type: 'note_updated' },
}

/** How the trash and undo treat notes. The ledger has each link as a field. */
export const noteKind: RecordKind<StoredNote> = {
  entity_type: 'note',
  prefix: 'note',
  readOwners: readAuthors,
  remove: async (transaction, action, records) => ({
    removed: await trashNotes(transaction, action, idsOf(records)),
    refused: [],
  }),
  restore: (transaction, action, records) => restoreNotes(transaction, action, idsOf(records)),
  keepReferences: keepLinkTargets,
  lock: async (transaction, ids) => (await lockNotes(transaction, ids)).map(withOwnLinks),
  links: {
    isLink: (field) => linkOf(field) !== undefined,
    lockTrashed: async (transaction, ids) => (await lockTrashedNotes(transaction, ids)).map(withOwnLinks),
  },
  findObstacles: async (transaction, previous, { user }) => [
    ...(await findMissingTargets(transaction, previous, { needsAbout: true })),
    ...(await findAuthorsOnly(transaction, previous, user)),
  ],
  write: async (transaction: Db, action: Action, changed) => {
    const changes = changed.map(({ before, values }) => ({ before, ...splitLinks(values) }))
    await writeChanges(transaction, action, changes)
  },
}

/**
 * The fields that decide who can see a note, if the user is not its author: the author, the visibility, and the mentions of a
 * private one.
 * A reply has the visibility of its parent.
 */
async function findAuthorsOnly(transaction: Db, previous: PreviousValues, user: Viewer): Promise<Obstacle[]> {
  const ids = [...previous].filter(([, values]) =>
    ['author_email', 'visibility', 'mentions'].some((field) => field in values),
  )
  if (ids.length === 0) return []
  const notes = await lockNotes(
    transaction,
    ids.map(([id]) => id),
  )
  const parents = await lockNotes(
    transaction,
    notes.flatMap(({ parent_id }) => parent_id ?? []),
  )
  return notes.flatMap((note) => {
    const { id, parent_id, visibility } = note
    const { author_email } = parents.find((parent) => parent.id === parent_id) ?? note
    if (user && author_email === user.email) return []
    const isRestricted = (field: string) =>
      field === 'author_email' ||
      field === 'visibility' ||
      (field === 'mentions' && visibility === 'private' && !parent_id)
    return Object.keys(previous.get(id) ?? {})
      .filter(isRestricted)
      .map((field) => ({ id, field, reason: 'not_yours' as const }))
  })
}
