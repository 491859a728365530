import { sql } from 'kysely'
import { keepTargets, type Link, type LinkPatch, linkOf, readLinks } from '#src/features/links/index.ts'
import type { Obstacle, PreviousValues, RecordKind } from '#src/features/trash/index.ts'
import type { Viewer } from '#src/features/visibility/index.ts'
import type { Db } from '#src/platform/database/database.ts'
import { idsOf } from '#src/platform/ids.ts'
import { trashFiles } from './remove.ts'
import { restoreFiles } from './restore.ts'
import { lockFiles, lockTrashedFiles, readObjectKeys, readUploaders, type StoredFile } from './store.ts'
import { writeChanges } from './write-changes.ts'

const withOwnLinks = (file: StoredFile) => ({ ...file, ...file.links })

/** How the trash and undo treat files. The ledger has each link as a field. Undoing an upload brings the earlier version back. */
export const fileKind: RecordKind<StoredFile> = {
  entity_type: 'file',
  prefix: 'file',
  readOwners: readUploaders,
  remove: async (transaction, action, records) => ({
    removed: await trashFiles(transaction, action, idsOf(records)),
    refused: [],
  }),
  restore: (transaction, action, records) => restoreFiles(transaction, action, idsOf(records)),
  filesOf: readObjectKeys,
  purge: async (transaction, ids) => {
    await sql`delete from file_versions where file_id = any(${ids})`.execute(transaction)
  },
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
  lock: async (transaction, ids) => (await lockFiles(transaction, ids)).map(withOwnLinks),
  links: {
    isLink: (field) => linkOf(field) !== undefined,
    lockTrashed: async (transaction, ids) => (await lockTrashedFiles(transaction, ids)).map(withOwnLinks),
  },
  findObstacles: async (transaction, previous, { user }) => [
    ...(await findMissingTargets(transaction, previous)),
    ...(await findUploadersOnly(transaction, previous, user)),
  ],
  write: async (transaction, action, changed) => {
    const changes = changed.map(({ before, values }) => {
      const entries = Object.entries(values)
      return {
        before,
        fields: Object.fromEntries(entries.filter(([name]) => !linkOf(name))),
        links: Object.fromEntries(entries.filter(([name]) => linkOf(name))) as LinkPatch,
      }
    })
    await writeChanges(transaction, action, changes)
  },
}

/**
 * The links to records that are in the trash, merged or gone, and those whose removal would leave a file about nothing. The
 * other records stay until the transaction ends.
 */
async function findMissingTargets(transaction: Db, previous: PreviousValues): Promise<Obstacle[]> {
  const links = [...previous].flatMap(([id, values]) =>
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
  const present = await readLinks(transaction, [...previous.keys()])
  const last = [...present].flatMap(([file_id, before]) => {
    const own = links.filter(({ id }) => id === file_id)
    const removed = own.filter(({ link }) => !link)
    const after = new Set(Object.keys(before))
    for (const one of own) if (one.link && !missing.includes(one)) after.add(one.field)
    for (const { field } of removed) after.delete(field)
    return after.size > 0 ? [] : removed
  })
  return [...missing, ...last].map(({ id, field }) => ({ id, field, reason: 'record_missing' }))
}

/** The fields that decide who can see a file, if the user is not the one who uploaded it. */
async function findUploadersOnly(
  transaction: Db,
  previous: PreviousValues,
  user: Viewer,
): Promise<Obstacle[]> {
  const files = await lockFiles(transaction, [...previous.keys()])
  return files.flatMap(({ id, uploaded_by }) => {
    if (user && uploaded_by === user.email) return []
    return ['visibility', 'uploaded_by']
      .filter((field) => field in (previous.get(id) ?? {}))
      .map((field) => ({ id, field, reason: 'not_yours' as const }))
  })
}
