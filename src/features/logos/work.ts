import type { Logger } from 'pino'
import type { Db } from '#src/platform/database/database.ts'
import type { DatabaseWrites } from '#src/platform/database/writes.ts'
import { repeat } from '#src/platform/process/repeat.ts'
import { createConverter } from './convert.ts'
import { createIconReader } from './fetch-icon.ts'
import { logoFetcher, logoRemover } from './fetch-logos.ts'

const INTERVAL_MS = 2000

interface LogoParts {
  db: Db
  log: Logger
  writes: DatabaseWrites
  isOff: boolean
  /** Hosts whose icon is not that of a company. */
  sharedHosts: Parameters<typeof logoFetcher>[0]['sharedHosts']
}

/** Starts to fetch logos, or to remove them if they are off. Returns a function that stops. */
export function startLogos({ db, log, writes, isOff, sharedHosts }: LogoParts): () => unknown {
  if (isOff) return repeat(logoRemover(db), INTERVAL_MS, log)
  const fetchIcon = createIconReader(createConverter())
  return repeat(writes.skipUntilWritten(logoFetcher({ db, fetchIcon, sharedHosts, log })), INTERVAL_MS, log)
}
