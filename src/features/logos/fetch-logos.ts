import type { Logger } from 'pino'
import type { Db } from '#src/platform/database/database.ts'
import type { FetchIcon } from './fetch-icon.ts'
import { claimStaleLogos, release, storeLogo } from './stale-logos.ts'
import { type CompanySource, removeAll, websiteFinder } from './websites.ts'

/** Websites that a process reads at a time. */
const CONCURRENCY = 4
const REMOVAL_INTERVAL_MS = 3600 * 1000

interface LogoParts {
  db: Db
  fetchIcon: FetchIcon
  companies: CompanySource
  log: Logger
  /** How many companies or logos a statement looks through. */
  batchSize?: number
}

/** Returns a function that finds new websites and fetches the logos that are due. It stops early when told to. */
export function logoFetcher({
  db,
  fetchIcon,
  companies,
  log,
  batchSize,
}: LogoParts): (stopped: AbortSignal) => Promise<void> {
  const findWebsites = websiteFinder(db, companies, batchSize)
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
