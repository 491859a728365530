import { sql } from 'kysely'
import type { Db } from '#src/platform/database/database.ts'

/** Without a renewal, another process takes the version after this time. */
const CLAIM_SECONDS = 15
export const RENEWAL_INTERVAL_MS = 5000

/** A version of a file whose text is being read by this process. */
export interface ClaimedVersion {
  file_id: string
  version: number
  object_key: string
  type: string
  /** How often reading was begun, this time included. */
  attempts: number
}

/** Claims the version that was uploaded last of those whose text has not been read; undefined: there is none. */
export async function claimVersion(db: Db): Promise<ClaimedVersion | undefined> {
  const { rows } = await sql<ClaimedVersion>`
    update file_versions set text_attempts = text_attempts + 1, text_claimed_at = now()
    where (file_id, version) = (
      select file_id, version from file_versions
      where text_state = 'pending' and scan_state in ('off', 'clean')
        and (text_claimed_at is null or text_claimed_at < now() - make_interval(secs => ${CLAIM_SECONDS}))
        and exists (select from files where id = file_id)
      order by uploaded_at desc, file_id desc limit 1 for update skip locked)
    returning file_id, version, object_key, type, text_attempts as attempts`.execute(db)
  return rows[0]
}

const isClaimed = ({ file_id, version }: ClaimedVersion) =>
  sql`file_id = ${file_id} and version = ${version} and text_state = 'pending'`

/** Keeps a claim. Call it every few seconds. */
export async function renewClaim(db: Db, claimed: ClaimedVersion): Promise<void> {
  await sql`update file_versions set text_claimed_at = now() where ${isClaimed(claimed)}`.execute(db)
}

/** Gives a claim back at once, as if it had not been made. */
export async function releaseClaim(db: Db, claimed: ClaimedVersion): Promise<void> {
  await sql`
    update file_versions set text_claimed_at = null, text_attempts = text_attempts - 1
    where ${isClaimed(claimed)}`.execute(db)
}

/**
 * Ends a claim after an error. Its time stays as a pause, so that other files get their turn.
 * @param isCounted whether it was an attempt that failed, maybe because of the file
 */
export async function pauseClaim(db: Db, claimed: ClaimedVersion, isCounted: boolean): Promise<void> {
  await sql`
    update file_versions set text_claimed_at = now(), text_attempts = text_attempts - ${isCounted ? 0 : 1}
    where ${isClaimed(claimed)}`.execute(db)
}
