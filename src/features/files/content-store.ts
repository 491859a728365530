import { createHash, randomUUID } from 'node:crypto'
import type { Readable } from 'node:stream'
import { sql } from 'kysely'
import type { Db } from '#src/platform/database/database.ts'
import { InvalidInput, TooLarge, Unavailable } from '#src/platform/errors.ts'
import type { NamedUploadFile, UploadFolder } from '#src/platform/http/upload-folder.ts'
import { isRefusal, type Objects } from '#src/platform/objects/objects.ts'
import { MAX_FILE_BYTES, MAX_FILE_MB } from './schema.ts'
import { sniffType } from './sniff.ts'

/** What the keys of uploaded objects begin with. */
export const UPLOADS_PREFIX = 'files/'

/** Where content goes. */
export interface ContentParts {
  db: Db
  objects: Objects
  uploads: UploadFolder
}

/** Content that has arrived, in a temporary file. */
export interface Received {
  file: NamedUploadFile
  size: number
  /** In hexadecimal digits. */
  sha256: string
  /** The media type, by the content. */
  type: string
}

/**
 * Receives content into a temporary file and hashes it on the way, then works with it. The file is removed afterward.
 * @throws InvalidInput if it is empty, TooLarge, Unavailable if the disk is full, the error of a client that disconnects
 */
export async function withReceived<T>(
  uploads: UploadFolder,
  content: Readable,
  work: (received: Received) => Promise<T>,
): Promise<T> {
  const file = await uploads.createNamed()
  try {
    const hash = createHash('sha256')
    for await (const chunk of content as AsyncIterable<Buffer>) {
      if (file.size + chunk.length > MAX_FILE_BYTES) throw tooLarge()
      hash.update(chunk)
      await file.append(chunk)
    }
    if (file.size === 0) throw new InvalidInput('The file is empty. It must have at least one byte.')
    const type = await sniffType(file.path)
    return await work({ file, size: file.size, sha256: hash.digest('hex'), type })
  } finally {
    await file.close()
  }
}

export const tooLarge = () =>
  new TooLarge(`The file must not be larger than ${MAX_FILE_MB} MB (${MAX_FILE_BYTES} bytes).`)

/**
 * Stores received content as an object, whose key never depends on names from outside. Until `keepUpload`, the object is one
 * of a pending upload, which is deleted if this process dies.
 * @returns its key
 * @throws Unavailable if the store is down or full, or refuses it
 */
export async function storeObject({ db, objects }: ContentParts, { file }: Received): Promise<string> {
  const key = `${UPLOADS_PREFIX}${randomUUID()}`
  await sql`insert into pending_uploads (object_key) values (${key})`.execute(db)
  try {
    await objects.writeFile(key, file.path)
    return key
  } catch (error) {
    await discardUpload({ db, objects }, key)
    if (error instanceof Unavailable) throw error
    const problem = isRefusal(error) ? error.message : 'The object storage cannot store the file now.'
    const remedy = isRefusal(error) ? '' : ' Try again later.'
    throw new Unavailable(`${problem} Nothing was saved.${remedy}`, { cause: error })
  }
}

/**
 * Ends a pending upload in the transaction that stores its version.
 * @throws Unavailable if the object is being deleted, because the upload took hours
 */
export async function keepUpload(transaction: Db, key: string): Promise<void> {
  const { numAffectedRows } = await sql`
    delete from pending_uploads where object_key = ${key} and not abandoned`.execute(transaction)
  if (numAffectedRows !== 1n) throw new Unavailable('The upload took too long. Nothing was saved. Try again.')
}

/**
 * Deletes the object of an upload unless a version refers to it: the connection may have been lost while the transaction was
 * committed. If that fails, the sweep deletes it later.
 */
export async function discardUpload(parts: Pick<ContentParts, 'db' | 'objects'>, key: string): Promise<void> {
  try {
    const { rows } = await sql`
      update pending_uploads set abandoned = true where object_key = ${key} returning object_key`.execute(
      parts.db,
    )
    if (rows.length > 0) await deleteAbandoned(parts, [key])
  } catch {}
}

async function deleteAbandoned(
  { db, objects }: Pick<ContentParts, 'db' | 'objects'>,
  keys: string[],
): Promise<void> {
  await objects.delete(keys)
  await sql`delete from pending_uploads where object_key = any(${keys}) and abandoned`.execute(db)
}

const MAX_PENDING_HOURS = 2
const SWEEP_BATCH = 100

/**
 * Deletes the objects of uploads that have failed, or whose process has died. Objects that the store refuses to delete stay.
 * @param hours after which it counts as dead
 * @throws StoreRefusal at the end if the store has refused any; the error of the store if it is down
 */
export async function sweepUploads(
  parts: Pick<ContentParts, 'db' | 'objects'>,
  stopped?: AbortSignal,
  hours = MAX_PENDING_HOURS,
): Promise<void> {
  const { db } = parts
  await sql`
    update pending_uploads set abandoned = true where created_at <= now() - make_interval(hours => ${hours})`.execute(
    db,
  )
  let last = ''
  let refusal: Error | undefined
  while (!stopped?.aborted) {
    const { rows } = await sql<{ object_key: string }>`
      select object_key from pending_uploads where abandoned and object_key > ${last}
      order by object_key limit ${SWEEP_BATCH}`.execute(db)
    const keys = rows.map(({ object_key }) => object_key)
    if (keys.length === 0) break
    last = keys.at(-1) as string
    refusal = (await deletePossible(parts, keys)) ?? refusal
  }
  if (refusal) throw refusal
}

/** @returns the reason if the store refuses to delete some of the objects */
async function deletePossible(
  parts: Pick<ContentParts, 'db' | 'objects'>,
  keys: string[],
): Promise<Error | undefined> {
  try {
    await deleteAbandoned(parts, keys)
  } catch (error) {
    if (!isRefusal(error)) throw error
    if (keys.length === 1) return error
    let refusal: Error | undefined
    for (const key of keys) refusal = (await deletePossible(parts, [key])) ?? refusal
    return refusal
  }
}

/** The keys of all objects that are of a version, or of an upload that the sweep knows. */
export async function knownObjects(db: Db): Promise<Set<string>> {
  const { rows } = await sql<{ object_key: string }>`
    select object_key from file_versions union all select object_key from pending_uploads`.execute(db)
  return new Set(rows.map(({ object_key }) => object_key))
}
