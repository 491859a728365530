import { sql } from 'kysely'
import type { Db } from '#src/platform/database/database.ts'
import { QuotaExceeded } from '#src/platform/errors.ts'

/** How much all versions of all files take, with those in the trash. */
export async function readUsage(db: Db): Promise<{ bytes: number; files: number }> {
  const { rows } = await sql<{ bytes: number; files: number }>`
    select coalesce(sum(size), 0)::float8 as bytes, count(distinct file_id)::int as files from file_versions`.execute(
    db,
  )
  return rows[0] as { bytes: number; files: number }
}

/**
 * @param maxBytes of all files; undefined: no limit
 * @param added the size of the content that is to be stored
 * @throws QuotaExceeded that says what is used and what is allowed
 */
export async function requireQuota(db: Db, maxBytes: number | undefined, added: number): Promise<void> {
  if (maxBytes === undefined) return
  const { bytes } = await readUsage(db)
  if (bytes + added > maxBytes)
    throw new QuotaExceeded(
      `All files together may take ${inGigabytes(maxBytes)} (FILES_MAX_GB). They take ${inGigabytes(bytes)}, with earlier versions and the trash, and this file has ${inMegabytes(added)}. Purge files that are no longer needed from the trash, or ask an administrator to raise the limit.`,
    )
}

const inGigabytes = (bytes: number): string => `${rounded(bytes / 1024 ** 3)} GB`
const inMegabytes = (bytes: number): string => `${rounded(bytes / 1024 ** 2)} MB`

/** With three digits: 0.00412, 1.53, 120. */
const rounded = (value: number): string =>
  String(value >= 100 ? Math.round(value) : Number(value.toPrecision(3)))
