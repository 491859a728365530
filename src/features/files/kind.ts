import { sql } from 'kysely'
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
import { trashFiles } from './remove.ts'
import { restoreFiles } from './restore.ts'
import { lockFiles, lockTrashedFiles, readObjectKeys, readOwners, type StoredFile } from './store.ts'
import { writeChanges } from './write-changes.ts'

const withOwnLinks = (file: StoredFile) => ({ ...file, ...file.links })

/** How a merge moves the links of files. */
export const linkedFiles: LinkedKind = {
  ...{ table: 'files', prefix: 'file', entity_type: 'file', activity_type: 'file_updated' },
}

/** How the trash and undo treat files. The ledger has each link as a field. Undoing an upload brings the earlier version back. */
export const fileKind: RecordKind<StoredFile> = {
  entity_type: 'file',
  prefix: 'file',
  readOwners,
  remove: async (transaction, action, records) => ({
    removed: await trashFiles(transaction, action, idsOf(records)),
    refused: [],
  }),
  restore: (transaction, action, records) => restoreFiles(transaction, action, idsOf(records)),
  filesOf: readObjectKeys,
  purge: async (transaction, ids) => {
    await sql`delete from file_versions where file_id = any(${ids})`.execute(transaction)
  },
  keepReferences: keepLinkTargets,
  lock: async (transaction, ids) => (await lockFiles(transaction, ids)).map(withOwnLinks),
  links: {
    isLink: (field) => linkOf(field) !== undefined,
    lockTrashed: async (transaction, ids) => (await lockTrashedFiles(transaction, ids)).map(withOwnLinks),
  },
  findObstacles: async (transaction, previous, { user }) => [
    ...(await findMissingTargets(transaction, previous, { needsAbout: true })),
    ...(await findUploadersOnly(transaction, previous, user)),
  ],
  write: async (transaction, action, changed) => {
    const changes = changed.map(({ before, values }) => ({ before, ...splitLinks(values) }))
    await writeChanges(transaction, action, changes)
  },
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
