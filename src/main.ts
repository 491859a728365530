import { parseArgs } from 'node:util'
import { buildApp } from './app.ts'
import { type Context, createContext } from './context.ts'
import { startFiling } from './features/feedback/filing.ts'
import { migrations } from './migrations/migrations.ts'
import { ConfigError, loadConfig, readEnvironmentFile } from './platform/config/config.ts'
import { DataFolderInUse } from './platform/database/data-folder.ts'
import { migrate } from './platform/database/migrate.ts'
import { isDatabaseDown } from './platform/errors.ts'
import { isLoopbackHost } from './platform/network/addresses.ts'
import { once } from './platform/process/shutdown.ts'
import { createHandlers } from './worker/handlers.ts'
import { startWorker } from './worker/worker.ts'

/**
 * The demo keeps away from real data and from production, may be clicked through fast, and shows by rules what a language
 * model would do, whatever the settings say.
 */
const DEMO = {
  NODE_ENV: 'development',
  HOST: '',
  PUBLIC_URL: '',
  DATA_DIR: './data-demo',
  DATABASE_URL: '',
  REDIS_URL: '',
  RATE_LIMIT_STANDARD: '0',
  TRACKER: 'local',
  OBJECTS: 'folder',
  WORKER: 'in-process',
  LLM: 'builtin',
}
const WAIT_FOR_DATABASE_MS = 30_000
const LOOK_AT_SETUP_EVERY_MS = 30_000

async function main(): Promise<void> {
  const { values } = parseArgs({ options: { demo: { type: 'boolean', default: false } } })
  readEnvironmentFile()
  const config = loadConfig(values.demo ? { ...process.env, ...DEMO } : process.env)
  const context = await createContext(config)
  const { log } = context
  // The demo overrides settings that others belong to.
  if (!values.demo) for (const warning of config.warnings) log.warn(warning)
  try {
    await migrateWhenReachable(context)
    const app = await buildApp(context)
    const listening = await app.listen({ host: config.host, port: config.port })
    const address = listening.replace(/127\.0\.0\.1|\[::1\]/, 'localhost')
    log.info(
      { database: config.databaseUrl ? 'postgresql' : 'embedded', data: config.dataFolder },
      `deal-pipeline listens on ${address}; its documentation is at ${address}/docs`,
    )
    if (config.production && isLoopbackHost(new URL(config.publicUrl).hostname))
      log.warn(`PUBLIC_URL is ${config.publicUrl}: people can sign in on this machine only`)
    const stopWorker = config.worker.kind === 'in-process' ? startOwnWorker(context, listening) : undefined
    const stopFiling = startFiling(context)
    // The log tells what is wrong with the tracker, or the object storage, also when nobody asks /readyz.
    void context.setupFault()
    setInterval(context.setupFault, LOOK_AT_SETUP_EVERY_MS).unref()
    once(['SIGINT', 'SIGTERM'], async (signal) => {
      log.info(`${signal}: finishing the requests in flight`)
      await stopWorker?.()
      await app.close()
      await stopFiling()
      await context.close()
    })
    if (values.demo) {
      const { fillDemo } = await import('./cli/demo/fill.ts')
      await fillDemo(address, (text) => log.info(text))
      log.info(`the demo is at ${address}; its documentation is at ${address}/docs`)
    }
  } catch (error) {
    await context.close()
    throw error
  }
}

/** The worker in the service's own process; like any other it goes through the HTTP API. */
function startOwnWorker(
  { bulkQueues, config, log, sessions }: Context,
  baseUrl: string,
): () => Promise<void> {
  return startWorker({
    baseUrl,
    sessions,
    queues: bulkQueues,
    handlers: createHandlers(config),
    concurrency: config.worker.concurrency,
    log,
  })
}

/** Migrates; a database server that starts at the same moment is given time to come up. */
async function migrateWhenReachable({ db, log }: Context): Promise<void> {
  const deadline = Date.now() + WAIT_FOR_DATABASE_MS
  for (;;) {
    try {
      return await migrate(db, migrations)
    } catch (error) {
      if (!isDatabaseDown(error) || Date.now() > deadline) throw error
      log.warn({ reason: (error as Error).message }, 'waiting for the database')
      await new Promise((resolve) => setTimeout(resolve, 1000))
    }
  }
}

/** A fault that the person who starts the service can mend, in a line; undefined for a fault of ours. */
function explained(error: Error & { code?: string; syscall?: string }): string | undefined {
  if (error instanceof ConfigError || error instanceof DataFolderInUse) return error.message
  if (error.code === 'EADDRINUSE') return `PORT: ${error.message}. Stop what uses it, or set another PORT.`
  if (isDatabaseDown(error)) return `DATABASE_URL: the database cannot be reached: ${error.message}`
  return error.syscall ? `DATA_DIR: ${error.message}` : undefined
}

main().catch((error) => {
  console.error(explained(error) ?? error)
  process.exit(1)
})
