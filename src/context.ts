import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'
import { embedChangedCompanies, noteAllCompanies } from './features/search/embed.ts'
import type { Config } from './platform/config.ts'
import { type Db, openDatabase } from './platform/database.ts'
import { foldCounters } from './platform/fold-counters.ts'
import { createGateway } from './platform/gateway.ts'
import { createIdentify, type Identify } from './platform/identity.ts'
import { createIdentityProvider, type IdentityProvider } from './platform/identity-provider.ts'
import { LexicalIndex } from './platform/lexical-index.ts'
import { createRateLimits, type RateLimits } from './platform/limits.ts'
import { ListMemory } from './platform/list-memory.ts'
import { createLogger } from './platform/logging.ts'
import { folderObjects, type Objects } from './platform/objects.ts'
import { createSessions, type Sessions } from './platform/session.ts'
import { sessionSecrets } from './platform/session-secret.ts'

/** What the slices are given. Tests replace parts of it through `createContext`'s overrides. */
export interface Context {
  readonly config: Config
  readonly log: Logger
  readonly db: Db
  readonly objects: Objects
  readonly companyLists: ListMemory
  /** `undefined` when the search by meaning is switched off. */
  readonly lexicalIndex: LexicalIndex | undefined
  readonly sessions: Sessions
  readonly identify: Identify
  /** `undefined` when none is configured. */
  readonly identityProvider: IdentityProvider | undefined
  readonly limits: RateLimits
  /** Stops the background work and closes what is open. */
  close(): Promise<void>
}

const FOLD_EVERY_MS = 1000
const EMBED_EVERY_MS = 1000

export type ContextParts = Pick<Context, 'log' | 'objects'> & {
  database: { db: Db; close(): Promise<void> }
}

/**
 * Opens the database and the stores.
 * @throws DataFolderInUse when another process has the embedded database open
 */
export async function createContext(config: Config, overrides: Partial<ContextParts> = {}): Promise<Context> {
  const log = overrides.log ?? createLogger(config)
  const database = overrides.database ?? (await openDatabase(config))
  const sessions = createSessions(await sessionSecrets(config))
  const limits = await createRateLimits(config, log)
  const { identityProvider, gateway } = config.authentication
  const stopFolding = repeat(() => foldCounters(database.db), FOLD_EVERY_MS, log)
  const lexicalIndex =
    config.embeddings === 'builtin' ? new LexicalIndex(database.db, noteAllCompanies) : undefined
  const stopEmbedding =
    lexicalIndex && repeat((stopped) => embedAll(database.db, lexicalIndex, stopped), EMBED_EVERY_MS, log)
  return {
    config,
    log,
    db: database.db,
    objects: overrides.objects ?? folderObjects(path.join(config.dataFolder, 'objects')),
    companyLists: new ListMemory(),
    lexicalIndex,
    sessions,
    identify: createIdentify({ config, sessions, gateway: gateway && createGateway(gateway) }),
    identityProvider: identityProvider && createIdentityProvider(identityProvider),
    limits,
    close: async () => {
      limits.close()
      await Promise.all([stopFolding(), stopEmbedding?.()])
      await database.close()
    },
  }
}

/** Brings the index up to date, and leaves others three times as much time as it takes. */
async function embedAll(db: Db, index: LexicalIndex, stopped: AbortSignal): Promise<void> {
  while (!stopped.aborted) {
    const start = performance.now()
    if ((await embedChangedCompanies(db, index)) === 0) return
    await sleep(3 * (performance.now() - start))
  }
}

/** Runs a task again and again, with a pause after each time; failures are logged once until it works again. */
function repeat(
  task: (stopped: AbortSignal) => Promise<void>,
  pause: number,
  log: Logger,
): () => Promise<void> {
  const stop = new AbortController()
  let failing = false
  let running: Promise<void> = Promise.resolve()
  const run = async () => {
    try {
      await task(stop.signal)
      failing = false
    } catch (error) {
      if (!failing) log.warn({ err: error }, 'background work failed; it will be tried again')
      failing = true
    }
    if (!stop.signal.aborted) timer = setTimeout(start, pause).unref()
  }
  const start = () => {
    running = run()
  }
  let timer = setTimeout(start, pause).unref()
  return async () => {
    stop.abort()
    clearTimeout(timer)
    await running
  }
}
