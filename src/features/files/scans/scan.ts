import type { Logger } from 'pino'
import { newAction, recordAction } from '#src/features/activity/index.ts'
import { NO_REQUEST, recordAudit } from '#src/features/audit/index.ts'
import type { Db } from '#src/platform/database/database.ts'
import type { Objects } from '#src/platform/objects/objects.ts'
import { repeat } from '#src/platform/process/repeat.ts'
import { LimitExceeded, ScannerDown } from '#src/platform/virus-scan/scan-errors.ts'
import type { VirusScanner } from '#src/platform/virus-scan/virus-scanner.ts'
import { fileActivity } from '../write-changes.ts'
import {
  CLAIM_RENEWAL_MS,
  type ClaimedVersion,
  claimVersion,
  quarantine,
  recordClean,
  recordFailure,
  releaseVersion,
  renewClaim,
} from './store.ts'

/** What scanning needs. */
export interface ScanParts {
  db: Db
  objects: Objects
  scanner: VirusScanner
  log: Logger
}

/**
 * Scans all versions that are due, one after the other. Any number of processes may do so. A version that cannot be scanned
 * stops no other.
 * @throws ScannerDown or StorageDown if nothing can be scanned now; all versions go on waiting
 */
export async function scanFiles(parts: ScanParts, stopped: AbortSignal): Promise<void> {
  // While the scanner is down, no version is claimed.
  if (parts.scanner.problem()) await parts.scanner.check()
  while (!stopped.aborted) {
    const version = await claimVersion(parts.db)
    if (!version) return
    const stopRenewing = repeat(() => renewClaim(parts.db, version), CLAIM_RENEWAL_MS, parts.log)
    await scanVersion(parts, version, stopped).finally(stopRenewing)
  }
}

async function scanVersion(parts: ScanParts, version: ClaimedVersion, stopped: AbortSignal): Promise<void> {
  const { db, scanner, log } = parts
  const { file_id, version: number } = version
  let found: string | undefined
  try {
    found = await scanContent(parts, version, stopped)
  } catch (error) {
    if (stopped.aborted || error instanceof ScannerDown || error instanceof StorageDown) {
      await releaseVersion(db, version)
      throw error
    }
    const isFinal = error instanceof LimitExceeded
    await recordFailure(db, version, sentenceOf(error), { isFinal })
    log.warn({ err: error, file_id, version: number }, 'a file could not be scanned, and will be again')
    // Content may have ended the scanner.
    if (!isFinal) await scanner.check()
    return
  }
  if (found === undefined) return recordClean(db, version)
  await recordFinding(db, version, found)
  log.warn({ file_id, version: number, found }, 'a file is infected, and in quarantine')
}

/** @returns the name of what was found */
async function scanContent(
  { objects, scanner }: ScanParts,
  { object_key, size }: ClaimedVersion,
  stopped: AbortSignal,
): Promise<string | undefined> {
  const object = await objects.open(object_key).catch(storageDown)
  if (!object) throw new Error(`The object storage does not have ${object_key}.`)
  let outage: Error | undefined
  object.body.once('error', (error) => {
    outage = error
  })
  try {
    return await scanner.scan(object.body, size, stopped)
  } catch (error) {
    if (error === outage) storageDown(error)
    throw error
  }
}

/** No content can be read now. */
class StorageDown extends Error {}

function storageDown(cause: unknown): never {
  throw new StorageDown('The object storage cannot be read, so files wait for their virus scan.', { cause })
}

/** What those who wait for the file can do about it. */
function sentenceOf(error: unknown): string {
  if (!(error instanceof LimitExceeded)) return 'The virus scan failed and will be repeated.'
  return `The file is too large for the virus scanner. An administrator can raise its ${error.setting}.`
}

/** Puts a version into quarantine, and records it in the history of the file and in the audit log. */
const recordFinding = (db: Db, version: ClaimedVersion, found: string): Promise<void> =>
  db.transaction().execute(async (transaction) => {
    if (!(await quarantine(transaction, version, found))) return
    const { file_id, version: number, uploaded_by } = version
    await recordAction(transaction, newAction('update', null), [
      { ...fileActivity('file_infected', file_id), metadata: { version: number, found } },
    ])
    await recordAudit(transaction, NO_REQUEST, {
      event: 'file_infected',
      user_email: uploaded_by,
      details: { file_id, version: number, found },
    })
  })
