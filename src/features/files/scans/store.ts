import { sql } from 'kysely'
import type { Db } from '#src/platform/database/database.ts'

/** A process that does not renew its claim has been killed, and others scan its file after this time. */
const CLAIM_SECONDS = 30
export const CLAIM_RENEWAL_MS = 10_000
const FIRST_PAUSE_SECONDS = 5
/** Also how soon a file is scanned after the limits of the scanner were raised. */
export const MAX_PAUSE_SECONDS = 3600

/** A version that this process may scan. */
export interface ClaimedVersion {
  file_id: string
  version: number
  object_key: string
  size: number
  uploaded_by: string | null
}

const isMeant = sql`(scan_state = 'pending' or next_scan_at is not null)`
const claimEnd = sql`clock_timestamp() + ${sql.lit(CLAIM_SECONDS)} * interval '1 second'`
const isVersion = ({ file_id, version }: Pick<ClaimedVersion, 'file_id' | 'version'>) =>
  sql`file_versions.file_id = ${file_id} and file_versions.version = ${version}`

/**
 * Claims a version that is due: those that cannot be read first, and the newest of them. Other processes leave it alone while
 * the claim is renewed.
 */
export async function claimVersion(db: Db): Promise<ClaimedVersion | undefined> {
  const { rows } = await sql<ClaimedVersion>`
    with due as (
      select file_id, version from file_versions
      where ${isMeant} and (next_scan_at is null or next_scan_at <= clock_timestamp())
      order by scan_state = 'pending' desc, uploaded_at desc limit 1 for update skip locked)
    update file_versions set scan_attempts = scan_attempts + 1, next_scan_at = ${claimEnd}
    from due where file_versions.file_id = due.file_id and file_versions.version = due.version
    returning file_versions.file_id, file_versions.version, object_key, size::float8 as size, uploaded_by`.execute(
    db,
  )
  return rows[0]
}

export async function renewClaim(db: Db, version: ClaimedVersion): Promise<void> {
  await sql`
    update file_versions set next_scan_at = ${claimEnd}
    where ${isVersion(version)} and next_scan_at is not null`.execute(db)
}

/** Lets any process scan a version that this one has not scanned. */
export async function releaseVersion(db: Db, version: ClaimedVersion): Promise<void> {
  await sql`
    update file_versions set next_scan_at = clock_timestamp(), scan_attempts = greatest(0, scan_attempts - 1)
    where ${isVersion(version)} and next_scan_at is not null`.execute(db)
}

export async function recordClean(db: Db, version: ClaimedVersion): Promise<void> {
  await sql`
    update file_versions set scan_state = 'clean', scan_detail = null, next_scan_at = null, scan_attempts = 0
    where ${isVersion(version)}`.execute(db)
}

/**
 * Puts a version into quarantine.
 * @param found the name of what was found
 * @returns whether it was not there before
 */
export async function quarantine(transaction: Db, version: ClaimedVersion, found: string): Promise<boolean> {
  const { rows } = await sql<{ was_infected: boolean }>`
    with before as (select file_id, version, scan_state from file_versions where ${isVersion(version)} for update)
    update file_versions set scan_state = 'infected', scan_detail = ${found}, next_scan_at = null, scan_attempts = 0
    from before where file_versions.file_id = before.file_id and file_versions.version = before.version
    returning before.scan_state = 'infected' as was_infected`.execute(transaction)
  return rows[0]?.was_infected === false
}

/** Postpones a version. The pauses grow up to an hour. @param detail a sentence for those who wait for the file */
export async function recordFailure(
  db: Db,
  version: ClaimedVersion,
  detail: string,
  { isFinal = false } = {},
): Promise<void> {
  const pause = isFinal
    ? sql`${sql.lit(MAX_PAUSE_SECONDS)}`
    : sql`least(${sql.lit(MAX_PAUSE_SECONDS)}, ${sql.lit(FIRST_PAUSE_SECONDS)} * power(2, least(scan_attempts, 20) - 1))`
  await sql`
    update file_versions set next_scan_at = clock_timestamp() + ${pause} * interval '1 second',
      scan_detail = case scan_state when 'pending' then ${detail} else scan_detail end
    where ${isVersion(version)}`.execute(db)
}

/** Has versions scanned again that can be read or are in quarantine. They stay so until the scan. @returns how many */
export async function requestScans(db: Db): Promise<number> {
  const { numAffectedRows = 0n } = await sql`
    update file_versions set next_scan_at = '-infinity', scan_attempts = 0
    where scan_state <> 'pending' and next_scan_at is null`.execute(db)
  return Number(numAffectedRows)
}

/** Makes versions readable that wait for a scanner, which is gone. Those in quarantine stay there. */
export async function cancelScans(db: Db): Promise<void> {
  await sql`
    update file_versions set next_scan_at = null, scan_attempts = 0,
      scan_state = case scan_state when 'pending' then 'off' else scan_state end,
      scan_detail = case scan_state when 'pending' then null else scan_detail end
    where ${isMeant}`.execute(db)
}

/** How many versions cannot be read before they are scanned. */
export async function countWaiting(db: Db): Promise<number> {
  const { rows } = await sql<{ waiting: number }>`
    select count(*)::int as waiting from file_versions where scan_state = 'pending'`.execute(db)
  return rows[0]?.waiting ?? 0
}
