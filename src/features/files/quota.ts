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
      `All files together may take ${shown(maxBytes)} (FILES_MAX_GB). With earlier versions and the trash they take ${shown(bytes)}, and this file is ${shown(added)}. Purge files that are no longer needed from the trash, or ask an administrator to raise the limit.`,
    )
}

const MB = 1024 ** 2
const GB = 1024 ** 3

/** A size in the unit that fits. */
function shown(bytes: number): string {
  if (bytes < MB) return `${bytes} bytes`
  const [value, unit] = bytes < GB ? [bytes / MB, 'MB'] : [bytes / GB, 'GB']
  return `${value >= 100 ? Math.round(value) : Number(value.toPrecision(3))} ${unit}`
}
