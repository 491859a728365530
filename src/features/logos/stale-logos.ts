import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import type { Db } from '#src/platform/database/database.ts'

const VERSION_LENGTH = 12

/**
 * Takes websites whose logo is due. Each counts as failed from now on, and is tried again later and later, so that a
 * crash needs no repair and no other process takes it too.
 */
export async function claimStaleLogos(db: Db, limit: number): Promise<string[]> {
  const { rows } = await sql<{ origin: string }>`
    update logos set failures = failures + 1,
      due_at = clock_timestamp() + least(interval '7 days', interval '10 minutes' * 4 ^ least(failures, 10))
    where origin = any(array(
      select origin from logos where due_at <= now() order by due_at, origin limit ${limit}
      for update skip locked))
    returning origin`.execute(db)
  return rows.map(({ origin }) => origin)
}

/** Stores a website's logo, or that it has none. It is fetched again after a month. */
export async function storeLogo(db: Db, origin: string, png: Buffer | null): Promise<void> {
  const version = png && createHash('sha256').update(png).digest('hex').slice(0, VERSION_LENGTH)
  await sql`
    update logos set png = ${png}, version = ${version}, failures = 0,
      due_at = clock_timestamp() + interval '30 days' + random() * interval '5 days'
    where origin = ${origin}`.execute(db)
}

/** Releases a website whose fetch was interrupted. It comes first the next time. */
export async function release(db: Db, origin: string): Promise<void> {
  await sql`
    update logos set failures = failures - 1, due_at = '-infinity' where origin = ${origin}`.execute(db)
}
