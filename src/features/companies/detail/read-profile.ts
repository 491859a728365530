import type { FastifyBaseLogger } from 'fastify'
import type { Json } from '#src/platform/database/sql.ts'
import type { CachingObjects } from '#src/platform/objects/cache.ts'
import { withTimeout } from '#src/platform/process/with-timeout.ts'
import { profileKey } from '../files.ts'

export interface ProfileInDetail {
  /** The profile as JSON; `null` if there is none or it cannot be read. */
  enriched_data: Json
  /** Why the profile cannot be read, as a sentence. */
  enriched_data_error: string | null
}

const MAX_BYTES = 4 * 1024 * 1024
const TIMEOUT_MS = 3000

/** An error in the file. The message is a sentence for the user. */
class ProfileError extends Error {}

/** A company's enrichment profile: the first one of these companies, which were merged. Faults of the file or of object storage are returned and logged, never thrown. */
export async function readProfile(
  objects: CachingObjects,
  companyIds: readonly string[],
  log: FastifyBaseLogger,
): Promise<ProfileInDetail> {
  try {
    const bytes = await withTimeout(TIMEOUT_MS, readFirst(objects, companyIds))
    return { enriched_data: bytes ? requireJsonObject(bytes) : 'null', enriched_data_error: null }
  } catch (error) {
    const isFileError = error instanceof ProfileError
    const enriched_data_error = isFileError
      ? error.message
      : 'The profile cannot be read from object storage. Try again in a moment.'
    log.warn({ company_id: companyIds[0], ...(!isFileError && { err: error }) }, enriched_data_error)
    return { enriched_data: 'null', enriched_data_error }
  }
}

async function readFirst(objects: CachingObjects, companyIds: readonly string[]): Promise<Buffer | null> {
  const [survivor, ...merged] = companyIds
  const own = survivor === undefined ? null : await readBytes(objects, survivor)
  if (own) return own
  // All at once, because there may be many, most of them without a profile.
  const reads = merged.map((id) => readBytes(objects, id))
  for (const read of reads) read.catch(() => {})
  for (const read of reads) {
    const bytes = await read
    if (bytes) return bytes
  }
  return null
}

async function readBytes(objects: CachingObjects, companyId: string): Promise<Buffer | null> {
  const key = profileKey(companyId)
  const profile = await objects.cached(key)
  if (profile && profile.size > MAX_BYTES)
    throw new ProfileError(
      `The profile is larger than ${MAX_BYTES} bytes. Download it from /assets/companies/${companyId}/profile.json.`,
    )
  return profile && (profile.body ?? objects.read(key))
}

/** @throws ProfileError when the bytes are not a JSON object */
function requireJsonObject(bytes: Buffer): Json {
  const text = decodeUtf8(bytes)
  if (isObject(parseJson(text))) return text
  throw new ProfileError(`The profile in object storage is not a JSON object. ${REMEDY}`)
}

/** Drops a byte order mark, which JSON.parse rejects. */
function decodeUtf8(bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    throw new ProfileError(`The profile in object storage is not UTF-8. ${REMEDY}`)
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new ProfileError(`The profile in object storage is not valid JSON. ${REMEDY}`)
  }
}

const REMEDY = 'Run the bulk action enrich_profile to write a new one.'

const isObject = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
