import { ConfigError, loadConfig, readEnvironmentFile } from '#src/platform/config/config.ts'
import { openEmbedder } from '#src/platform/embeddings/open-embedder.ts'
import { createSessions } from '#src/platform/identity/session.ts'
import { sessionSecrets } from '#src/platform/identity/session-secret.ts'
import { createLogger } from '#src/platform/process/logging.ts'
import { once } from '#src/platform/process/shutdown.ts'
import { openQueues } from '#src/platform/queue.ts'
import { createHandlers } from './handlers.ts'
import { openBulkQueues } from './queues.ts'
import { startWorker } from './worker.ts'

/** Runs a worker as a separate process, next to a service on PostgreSQL. */
async function main(): Promise<void> {
  readEnvironmentFile()
  const config = loadConfig(process.env)
  const { databaseUrl, worker } = config
  if (!databaseUrl)
    throw new ConfigError(
      'DATABASE_URL: a separate worker needs PostgreSQL. With the embedded database, the service runs the worker itself.',
    )
  const log = await createLogger(config)
  for (const warning of config.warnings) log.warn(warning)
  const queues = openQueues({ connectionString: databaseUrl }, log, {
    timeouts: config.databaseTimeouts,
  })
  const embedder = openEmbedder(config.embeddings, log)
  const stop = startWorker({
    baseUrl: worker.apiUrl,
    sessions: createSessions(await sessionSecrets(config)),
    queues: openBulkQueues(queues),
    handlers: createHandlers(config, embedder, log),
    concurrency: worker.concurrency,
    log,
  })
  log.info(`the worker takes jobs from the database and submits results to ${worker.apiUrl}`)
  once(['SIGINT', 'SIGTERM'], log, async (signal) => {
    log.info(`${signal}: returning unfinished jobs to the queue`)
    await stop()
    await embedder?.close?.()
    await queues.stop()
  })
}

main().catch((error) => {
  console.error(error instanceof ConfigError ? error.message : error)
  process.exit(1)
})
