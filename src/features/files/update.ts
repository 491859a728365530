import { type Action, requireUnchanged } from '#src/features/activity/index.ts'
import {
  type AboutEntry,
  type LinkPatch,
  MAX_ABOUT,
  readNames,
  replaceLinks,
  requireAbout,
  targetsIn,
} from '#src/features/links/index.ts'
import type { Viewer } from '#src/features/visibility/index.ts'
import type { Db } from '#src/platform/database/database.ts'
import type { Json } from '#src/platform/database/sql.ts'
import { Forbidden, InvalidInput, orNotFound } from '#src/platform/errors.ts'
import { withoutReadOnly } from '#src/platform/schema/read-only.ts'
import { requireFile } from './find.ts'
import { cleanFileName } from './name.ts'
import { FILE_READ_ONLY, type FilePatch, type FileRecord } from './schema.ts'
import { lockFiles, readFile, type StoredFile } from './store.ts'
import { writeChanges } from './write-changes.ts'

/** Checks that the caller may change a file that this user uploaded. @throws MissingPermission */
export type AuthorizeChange = (uploaded_by: string | null) => void

interface Change {
  authorize: AuthorizeChange
  id: string
  body: FilePatch
  /** The If-Match header. */
  ifMatch: string | undefined
}

/**
 * Changes a file and records it. Writes nothing if no field differs.
 * @throws NotFound, also if the user cannot see it, MissingPermission, Forbidden for the visibility of someone else's file,
 *   PreconditionFailed if it has changed since, InvalidInput that names the field that is wrong
 */
export const updateFile = (
  db: Db,
  action: Action,
  { authorize, id, body, ifMatch }: Change,
): Promise<{ file: Json; isChanged: boolean }> =>
  db.transaction().execute(async (transaction) => {
    const viewer = action.user
    const current: FileRecord = JSON.parse(await requireFile(transaction, viewer, id))
    authorize(current.uploaded_by)
    const { about, ...patch } = withoutPresentLinks(current, withoutReadOnly(body, FILE_READ_ONLY))
    // Merges lock records before the files about them.
    if (about) await requireAbout(transaction, about)
    const before = orNotFound((await lockFiles(transaction, [id]))[0], 'file', id)
    await requireUnchanged(transaction, ifMatch, 'file', before)
    if (patch.visibility !== undefined && patch.visibility !== before.visibility)
      requireOwnVisibility(viewer, before)
    const fields = { ...patch, ...(patch.name !== undefined && { name: cleanFileName(patch.name) }) }
    const links = about ? await newLinks(transaction, before, about) : {}
    const changed = await writeChanges(transaction, action, [{ before, fields, links }])
    const file = orNotFound(await readFile(transaction, viewer, id), 'file', id)
    return { file, isChanged: changed.length > 0 }
  })

/** @throws InvalidInput for a private file that no one could read */
export function requireUploader(viewer: Viewer): void {
  if (!viewer)
    throw new InvalidInput(
      'visibility must be team without a user: no one could read a private file. Sign in, or send an email address.',
    )
}

function requireOwnVisibility(viewer: Viewer, { uploaded_by }: StoredFile): void {
  requireUploader(viewer)
  if (viewer?.email !== uploaded_by)
    throw new Forbidden('Only the user who uploaded a file may change its visibility.')
}

/**
 * The patch without `about` if it is as it was read. Its number may be any then: records are restored and purged.
 * @throws InvalidInput for too many new entries, or none
 */
function withoutPresentLinks(current: FileRecord, { about, ...patch }: FilePatch): FilePatch {
  if (!about || namesOf(about) === namesOf(current.about)) return patch
  if (about.length === 0 || about.length > MAX_ABOUT)
    throw new InvalidInput(`about must be an array of 1 to ${MAX_ABOUT} entries, but has ${about.length}.`)
  return { ...patch, about }
}

const namesOf = (about: readonly AboutEntry[]): string => about.map(({ type, id }) => `${type} ${id}`).join()

/** Links to records in the trash, which the caller does not see, stay. */
async function newLinks(transaction: Db, before: StoredFile, about: AboutEntry[]): Promise<LinkPatch> {
  const present = targetsIn(before.links, 'about')
  // Not locked: merges lock records before the files about them.
  const existing = await readNames(transaction, present)
  const hidden = present.map(({ id }) => id).filter((target) => !existing.has(target))
  return replaceLinks(before.links, 'about', about, new Set(hidden))
}
