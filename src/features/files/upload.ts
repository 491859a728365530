import { sql } from 'kysely'
import { type Action, recordAction } from '#src/features/activity/index.ts'
import {
  type AboutEntry,
  insertLinks,
  MAX_ABOUT,
  replaceLinks,
  requireAbout,
  targetsIn,
} from '#src/features/links/index.ts'
import { setReaders, type Viewer } from '#src/features/visibility/index.ts'
import { takeLock } from '#src/platform/database/advisory-locks.ts'
import type { Db } from '#src/platform/database/database.ts'
import { all, type Json } from '#src/platform/database/sql.ts'
import { InvalidInput, orNotFound } from '#src/platform/errors.ts'
import { idsOf, idTime, newId } from '#src/platform/ids.ts'
import {
  type ContentParts,
  discardUpload,
  keepUpload,
  type Received,
  storeObject,
  withReceived,
} from './content-store.ts'
import { TEXT_TYPES } from './extraction/types.ts'
import { requireFile } from './find.ts'
import type { FileForm } from './form.ts'
import { cleanFileName } from './name.ts'
import { requireQuota } from './quota.ts'
import type { NewFile } from './schema.ts'
import { insertFile, insertVersion, listedTo, lockFiles, readFile, type StoredFile } from './store.ts'
import { requireUploader } from './update.ts'
import { fileActivity, readersOf, writeChanges } from './write-changes.ts'

export interface UploadParts extends ContentParts {
  /** How much all files may take; undefined: no limit. */
  maxBytes: number | undefined
  /** Whether content cannot be read before it is scanned. */
  isScanned: boolean
}

interface Uploaded {
  file: Json
  /** `version`: of a file that was there. `unchanged`: the file has this content already. */
  outcome: 'created' | 'version' | 'unchanged'
}

/** A file whose fields are checked. */
interface CheckedFile extends Required<NewFile> {
  uploader: Viewer
}

/**
 * Stores a file, or the next version of the one with this name, about one of these records and with this visibility, and
 * records it. A file that has this content already stays as it is.
 * @throws InvalidInput that names the field that is wrong, TooLarge, QuotaExceeded, Unavailable if the disk or the object
 *   storage is full or down
 */
export async function uploadFile(
  parts: UploadParts,
  action: Action,
  { fields: early, fileName, content, end }: FileForm<NewFile>,
): Promise<Uploaded> {
  const uploader = action.user
  if (early?.visibility === 'private') requireUploader(uploader)
  // Before the content arrives: a client need not send 100 MB to learn that a record does not exist.
  if (early) await parts.db.transaction().execute((transaction) => requireAbout(transaction, early.about))
  return withReceived(parts.uploads, content, async (received) => {
    const { about, visibility = 'team', name } = await end()
    if (visibility === 'private') requireUploader(uploader)
    const file = { about, visibility, name: cleanFileName(name ?? fileName ?? ''), uploader }
    return storeContent(parts, received, uploader, async (transaction, stored) => {
      await requireAbout(transaction, about)
      const [present] = await lockFiles(transaction, await findSameName(transaction, file))
      if (present) return addContent(transaction, action, present, stored, about)
      return createFile(transaction, action, file, stored)
    })
  })
}

/**
 * Stores the next version of a file, whatever its name, and records it.
 * @throws NotFound, also if the user cannot see it, TooLarge, QuotaExceeded, Unavailable if the disk or the object storage is
 *   full or down
 */
export async function uploadFileVersion(
  parts: UploadParts,
  action: Action,
  id: string,
  { content, end }: FileForm<unknown>,
): Promise<Uploaded> {
  await requireFile(parts.db, action.user, id)
  return withReceived(parts.uploads, content, async (received) => {
    await end()
    return storeContent(parts, received, action.user, async (transaction, stored) => {
      await requireFile(transaction, action.user, id)
      const file = orNotFound((await lockFiles(transaction, [id]))[0], 'file', id)
      return addContent(transaction, action, file, stored, [])
    })
  })
}

/** Stores content as a version of a file. @returns the number of the version */
type StoreVersion = (transaction: Db, file_id: string) => Promise<number>

/** Content that is stored as an object, and becomes a version when `store` is called. */
interface StoredContent {
  sha256: string
  store: StoreVersion
}

type Written = { id: string; outcome: Uploaded['outcome'] }

/** Stores the content, then writes what refers to it. The object is deleted unless something refers to it afterward. */
async function storeContent(
  parts: UploadParts,
  received: Received,
  viewer: Viewer,
  write: (transaction: Db, stored: StoredContent) => Promise<Written>,
): Promise<Uploaded> {
  const { sha256, size, type } = received
  await requireQuota(parts.db, parts.maxBytes, size)
  const object_key = await storeObject(parts, received)
  const store: StoreVersion = async (transaction, file_id) => {
    await keepUpload(transaction, object_key)
    await requireQuota(transaction, parts.maxBytes, size)
    return insertVersion(transaction, file_id, {
      ...{ object_key, type, size, sha256, uploaded_by: viewer?.email ?? null },
      scan_state: parts.isScanned ? 'pending' : 'off',
      text_state: TEXT_TYPES.has(type) ? 'pending' : 'none',
    })
  }
  try {
    return await parts.db.transaction().execute(async (transaction) => {
      // Of two uploads with one name, the second is a version of the first; and together they keep to the quota.
      await takeLock(transaction, 'store files')
      const { id, outcome } = await write(transaction, { sha256, store })
      return { file: orNotFound(await readFile(transaction, viewer, id), 'file', id), outcome }
    })
  } finally {
    await discardUpload(parts, object_key)
  }
}

/** The file that an upload is a version of, if there is one. */
async function findSameName(db: Db, { about, name, visibility, uploader }: CheckedFile): Promise<string[]> {
  const isSame = [
    sql`current_files.id in (select record_id from links where relation = 'about'
      and target_id = any(${about.map(({ id }) => id)}))`,
    sql`fold_text(name) = fold_text(${name})`,
    sql`visibility = ${visibility}`,
  ]
  const { rows } = await sql<{ id: string }>`
    select id from current_files where ${all([...isSame, ...listedTo(uploader)])} order by id limit 1`.execute(
    db,
  )
  return idsOf(rows)
}

/** Adds a version to a locked file, unless it has this content, and what it is about besides. */
async function addContent(
  transaction: Db,
  action: Action,
  before: StoredFile,
  { sha256, store }: StoredContent,
  about: readonly AboutEntry[],
): Promise<Written> {
  const { rows } = await sql`
    select from current_files where id = ${before.id} and sha256 = ${sha256}`.execute(transaction)
  const hasContent = rows.length > 0
  const targets = targetsIn(before.links, 'about')
  const added = about.filter(({ id }) => !targets.some((target) => target.id === id))
  if (added.length > 0 && targets.length + added.length > MAX_ABOUT)
    throw new InvalidInput(
      `about must not have more than ${MAX_ABOUT} records together with those that ${before.id}, the file with this name, is about.`,
    )
  const links = added.length > 0 ? replaceLinks(before.links, 'about', [...targets, ...added]) : {}
  const fields = hasContent ? {} : { version: await store(transaction, before.id) }
  const changed = await writeChanges(transaction, action, [{ before, fields, links }])
  return { id: before.id, outcome: changed.length > 0 ? 'version' : 'unchanged' }
}

async function createFile(
  transaction: Db,
  action: Action,
  { about, uploader, ...fields }: CheckedFile,
  { store }: StoredContent,
): Promise<Written> {
  const id = newId('file')
  const time = idTime(id).toISOString()
  const links = replaceLinks({}, 'about', about) as StoredFile['links']
  const file = {
    id,
    ...fields,
    uploaded_by: uploader?.email ?? null,
    links,
    created_at: time,
    updated_at: time,
  }
  await insertFile(transaction, { ...file, version: await store(transaction, id) })
  await insertLinks(transaction, [{ record_id: id, links }])
  await setReaders(transaction, [{ id, readers: readersOf(file) }])
  await recordAction(transaction, action, [fileActivity('file_created', id)])
  return { id, outcome: 'created' }
}
