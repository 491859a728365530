import type { Action } from '#src/features/activity/index.ts'
import { keepTargets, type Link, linkOf, readLinks } from '#src/features/links/index.ts'
import type { Obstacle, PreviousValues, RecordKind } from '#src/features/trash/index.ts'
import type { Viewer } from '#src/features/visibility/index.ts'
import type { Db } from '#src/platform/database/database.ts'
import { idsOf } from '#src/platform/ids.ts'
import { trashNotes } from './remove.ts'
import { restoreNotes } from './restore.ts'
import { lockNotes, lockTrashedNotes, readAuthors, type StoredNote } from './store.ts'
import { writeChanges } from './write-changes.ts'

const withOwnLinks = (note: StoredNote) => ({ ...note, ...note.links })

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
  keepReferences: async (transaction, changes) => {
    await keepTargets(
      transaction,
      changes.flatMap((fields) =>
        Object.entries(fields).flatMap(([name, { from, to }]) => {
          const id = linkOf(name)?.target_id
          const link = (from ?? to) as Link | null
          return id === undefined || !link ? [] : [{ type: link.type, id }]
        }),
      ),
    )
  },
  lock: async (transaction, ids) => (await lockNotes(transaction, ids)).map(withOwnLinks),
  links: {
    isLink: (field) => linkOf(field) !== undefined,
    lockTrashed: async (transaction, ids) => (await lockTrashedNotes(transaction, ids)).map(withOwnLinks),
  },
  findObstacles: async (transaction, previous, { user }) => [
    ...(await findMissingTargets(transaction, previous)),
    ...(await findAuthorsOnly(transaction, previous, user)),
  ],
  write: async (transaction: Db, action: Action, changed) => {
    const changes = changed.map(({ before, values }) => {
      const ofLinks = Object.entries(values).filter(([name]) => linkOf(name))
      const ofFields = Object.entries(values).filter(([name]) => !linkOf(name))
      return {
        before,
        fields: Object.fromEntries(ofFields),
        links: Object.fromEntries(ofLinks) as Record<string, Link | null>,
      }
    })
    await writeChanges(transaction, action, changes)
  },
}

interface PreviousLink {
  id: string
  field: string
  target: string
  link: Link | null
}

/**
 * The links to records that are in the trash, merged or gone, and those whose removal would leave a note about nothing. The
 * other records stay until the transaction ends.
 */
async function findMissingTargets(transaction: Db, previous: PreviousValues): Promise<Obstacle[]> {
  const links: PreviousLink[] = [...previous].flatMap(([id, values]) =>
    Object.entries(values).flatMap(([field, value]) => {
      const target = linkOf(field)?.target_id
      return target === undefined ? [] : [{ id, field, target, link: value as Link | null }]
    }),
  )
  if (links.length === 0) return []
  const existing = await keepTargets(
    transaction,
    links.flatMap(({ target, link }) => (link ? [{ type: link.type, id: target }] : [])),
  )
  const missing = links.filter(({ target, link }) => link && !existing.has(target))
  const ids = [...previous.keys()]
  const last = [...(await readLinks(transaction, ids))].flatMap(([note_id, present]) => {
    const own = links.filter(({ id, field }) => id === note_id && field.startsWith('about.'))
    const added = own.filter((one) => one.link && !missing.includes(one))
    const removed = own.filter(({ link }) => !link)
    const after = new Set([...Object.keys(present), ...added.map(({ field }) => field)])
    for (const { field } of removed) after.delete(field)
    return [...after].some((field) => field.startsWith('about.')) ? [] : removed
  })
  return [...missing, ...last].map(({ id, field }) => ({ id, field, reason: 'record_missing' }))
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
