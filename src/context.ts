import path from 'node:path'
import type { Logger } from 'pino'
import type { Config } from './platform/config.ts'
import { type Db, openDatabase } from './platform/database.ts'
import { foldCounters } from './platform/fold-counters.ts'
import { ListMemory } from './platform/list-memory.ts'
import { createLogger } from './platform/logging.ts'
import { folderObjects, type Objects } from './platform/objects.ts'

/** What the slices are given. Tests replace parts of it through `createContext`'s overrides. */
export interface Context {
  readonly config: Config
  readonly log: Logger
  readonly db: Db
  readonly objects: Objects
  readonly companyLists: ListMemory
  /** Stops the background work and closes what is open. */
  close(): Promise<void>
}

const FOLD_EVERY_MS = 1000

export type ContextParts = Pick<Context, 'log' | 'objects'> & { database: { db: Db; close(): Promise<void> } }

/**
 * Opens the database and the stores.
 * @throws DataFolderInUse when another process has the embedded database open
 */
export async function createContext(config: Config, overrides: Partial<ContextParts> = {}): Promise<Context> {
  const log = overrides.log ?? createLogger(config)
  const database = overrides.database ?? (await openDatabase(config))
  const stopFolding = repeat(() => foldCounters(database.db), FOLD_EVERY_MS, log)
  return {
    config,
    log,
    db: database.db,
    objects: overrides.objects ?? folderObjects(path.join(config.dataFolder, 'objects')),
    companyLists: new ListMemory(),
    close: async () => {
      await stopFolding()
      await database.close()
    },
  }
}

/** Runs a task again and again, with a pause after each time; failures are logged once until it works again. */
function repeat(task: () => Promise<void>, pause: number, log: Logger): () => Promise<void> {
  let failing = false
  let running: Promise<void> = Promise.resolve()
  const run = async () => {
    try {
      await task()
      failing = false
    } catch (error) {
      if (!failing) log.warn({ err: error }, 'background work failed; it will be tried again')
      failing = true
    }
    if (!stopped) timer = setTimeout(start, pause).unref()
  }
  const start = () => {
    running = run()
  }
  let stopped = false
  let timer = setTimeout(start, pause).unref()
  return async () => {
    stopped = true
    clearTimeout(timer)
    await running
  }
}
