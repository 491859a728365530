import { parseArgs } from 'node:util'
import { buildApp } from './app.ts'
import { createContext } from './context.ts'
import { ConfigError, loadConfig, readEnvironmentFile } from './platform/config.ts'
import { DataFolderInUse } from './platform/data-folder.ts'
import { isDatabaseDown } from './platform/errors.ts'
import { migrate } from './platform/migrate.ts'
import { once } from './platform/shutdown.ts'

/** The demo keeps away from real data, whatever the settings say. */
const DEMO = { DATA_DIR: './data-demo', DATABASE_URL: '' }
const WAIT_FOR_DATABASE_MS = 30_000

async function main(): Promise<void> {
  const { values } = parseArgs({ options: { demo: { type: 'boolean', default: false } } })
  readEnvironmentFile()
  const config = loadConfig(values.demo ? { ...process.env, ...DEMO } : process.env)
  const context = await createContext(config)
  const { log } = context
  try {
    await migrateWhenReachable(context.db, log)
    const app = await buildApp(context)
    const listening = await app.listen({ host: config.host, port: config.port })
    const address = listening.replace(/127\.0\.0\.1|\[::1\]/, 'localhost')
    log.info(
      { database: config.databaseUrl ? 'postgresql' : 'embedded', data: config.dataFolder },
      `deal-pipeline listens on ${address}; its documentation is at ${address}/docs`,
    )
    if (config.production) log.warn('sign-in is not part of this version: every /api route answers 401')
    once(['SIGINT', 'SIGTERM'], async (signal) => {
      log.info(`${signal}: finishing the requests in flight`)
      await app.close()
      await context.close()
    })
    if (values.demo) {
      const { fillDemo } = await import('./cli/demo/fill.ts')
      await fillDemo(address, (text) => log.info(text))
    }
  } catch (error) {
    await context.close()
    throw error
  }
}

/** Migrates; a database server that starts at the same moment is given time to come up. */
async function migrateWhenReachable(
  db: Parameters<typeof migrate>[0],
  log: { warn(text: string): void },
): Promise<void> {
  const deadline = Date.now() + WAIT_FOR_DATABASE_MS
  for (;;) {
    try {
      return await migrate(db)
    } catch (error) {
      if (!isDatabaseDown(error) || Date.now() > deadline) throw error
      log.warn('waiting for the database')
      await new Promise((resolve) => setTimeout(resolve, 1000))
    }
  }
}

main().catch((error) => {
  const expected = error instanceof ConfigError || error instanceof DataFolderInUse
  console.error(expected ? error.message : error)
  process.exit(1)
})
