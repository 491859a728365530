import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import type { Logger } from 'pino'
import type { Db } from '#src/platform/database/database.ts'
import type { FetchIcon } from './fetch-icon.ts'
import { removeAll, websiteFinder } from './websites.ts'

/** Websites that a process reads at a time. */
const CONCURRENCY = 4
const REMOVAL_INTERVAL_MS = 3600 * 1000

interface LogoParts {
  db: Db
  fetchIcon: FetchIcon
  /** Hosts where many companies have a page. */
  sharedHosts: ReadonlySet<string>
  log: Logger
  /** How many companies or logos a statement looks through. */
  batchSize?: number
}

/** Returns a function that finds new websites and fetches the logos that are due. It stops early when told to. */
export function logoFetcher({
  db,
  fetchIcon,
  sharedHosts,
  log,
  batchSize,
}: LogoParts): (stopped: AbortSignal) => Promise<void> {
  const findWebsites = websiteFinder(db, sharedHosts, batchSize)
  return async (stopped) => {
    while (!stopped.aborted) {
      // However many logos are due, new companies do not wait for them.
      await findWebsites(stopped)
      const origins = await claimStaleLogos(db, CONCURRENCY)
      if (origins.length === 0) return
      await Promise.all(origins.map((origin) => fetchLogo({ db, fetchIcon, log }, origin, stopped)))
    }
  }
}

/** Returns a function that removes the logos that were fetched before they were turned off. */
export const logoRemover = (db: Db): (() => Promise<void>) => hourly(() => removeAll(db))

async function fetchLogo(
  { db, fetchIcon, log }: Pick<LogoParts, 'db' | 'fetchIcon' | 'log'>,
  origin: string,
  stopped: AbortSignal,
): Promise<void> {
  const icon = await fetchIcon(origin, stopped).catch((error: unknown) => {
    log.debug({ origin, err: error }, 'the logo could not be fetched')
  })
  if (icon !== undefined) await storeLogo(db, origin, icon)
  // Otherwise the claim has already set the time of the next attempt.
  else if (stopped.aborted) await release(db, origin)
}

function hourly(task: () => Promise<void>): () => Promise<void> {
  let next = 0
  return async () => {
    if (Date.now() < next) return
    await task()
    next = Date.now() + REMOVAL_INTERVAL_MS
  }
}

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
async function storeLogo(db: Db, origin: string, png: Buffer | null): Promise<void> {
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
