import type { Db } from '#src/platform/database/database.ts'
import { Unavailable } from '#src/platform/errors.ts'
import { isRefusal } from '#src/platform/objects/objects.ts'
import { type StoredContentParts, withStoredFile } from '../stored-content.ts'
import {
  type ClaimedVersion,
  claimVersion,
  pauseClaim,
  RENEWAL_INTERVAL_MS,
  releaseClaim,
  renewClaim,
} from './claims.ts'
import { extractText } from './extract.ts'
import { saveExtraction } from './save.ts'
import type { Extraction } from './types.ts'

/** A file that ended its thread, or the process, or could not be stored, this often is not read again. */
const MAX_ATTEMPTS = 3

const failed = (text_detail: string): Extraction => ({
  ...{ text_state: 'unreadable', text_detail, pages: null, texts: [], details: null },
})
const GIVEN_UP = failed(`Reading it has failed ${MAX_ATTEMPTS} times.`)
const MISSING = failed('Its content is missing in the object storage.')

export interface TextParts extends StoredContentParts {
  db: Db
}

/**
 * Reads the text of files, one at a time, the last upload first, until none is left. A process that ends in the middle of a
 * file leaves it to the next.
 * @throws any error of the object storage or the database; the file is read again later
 */
export async function readFileTexts(parts: TextParts, stopped: AbortSignal): Promise<void> {
  while (!stopped.aborted) {
    const claimed = await claimVersion(parts.db)
    if (!claimed) return
    await readVersion(parts, claimed, stopped)
  }
}

async function readVersion(parts: TextParts, claimed: ClaimedVersion, stopped: AbortSignal): Promise<void> {
  const { db } = parts
  const renewal = setInterval(() => void renewClaim(db, claimed).catch(() => {}), RENEWAL_INTERVAL_MS)
  try {
    const extraction = claimed.attempts > MAX_ATTEMPTS ? GIVEN_UP : await extract(parts, claimed, stopped)
    await saveExtraction(db, claimed, extraction)
  } catch (error) {
    if (stopped.aborted) return await releaseClaim(db, claimed)
    await pauseClaim(db, claimed, !(await isOutage(parts, error, stopped)))
    throw error
  } finally {
    clearInterval(renewal)
  }
}

/** Whether every file would fail now. A store may refuse a single object, too. */
async function isOutage({ objects }: TextParts, error: unknown, stopped: AbortSignal): Promise<boolean> {
  if (error instanceof Unavailable) return true
  if (!isRefusal(error)) return false
  return (await objects.check?.(stopped).catch(() => 'down')) === 'down'
}

const extract = async (
  parts: TextParts,
  { object_key, type }: ClaimedVersion,
  signal: AbortSignal,
): Promise<Extraction> =>
  (await withStoredFile(parts, object_key, (path) => extractText({ path, type }, { signal }))) ?? MISSING
