import { parseArgs } from 'node:util'
import { buildApp } from './app.ts'
import { startBackground } from './background.ts'
import { DEMO_SETTINGS } from './cli/demo/settings.ts'
import { createContext } from './context.ts'
import { promoteFirstAdmins } from './features/users/index.ts'
import { migrations } from './migrations/migrations.ts'
import { loadConfig, readEnvironmentFile } from './platform/config/config.ts'
import { migrateWhenReachable } from './platform/database/migrate.ts'
import { listenForMetrics } from './platform/http/metrics.ts'
import { isLoopbackHost } from './platform/network/addresses.ts'
import { once } from './platform/process/shutdown.ts'
import { startWatchdog } from './platform/process/watchdog.ts'
import { explainStartupError } from './startup-error.ts'

async function main(): Promise<void> {
  const { values } = parseArgs({ options: { demo: { type: 'boolean', default: false } } })
  readEnvironmentFile()
  const config = loadConfig(
    values.demo ? { LOG_LEVEL: 'warn', ...process.env, ...DEMO_SETTINGS } : process.env,
  )
  const context = await createContext(config)
  const { backgroundDb, log } = context
  // The demo overrides settings that others belong to.
  if (!values.demo) for (const warning of config.warnings) log.warn(warning)
  try {
    await migrateWhenReachable(backgroundDb, migrations, log, config.migrateOnStart)
    await promoteFirstAdmins(context)
    // Only now, because a migration of the embedded database may keep the event loop busy for minutes.
    startWatchdog(config.watchdogSeconds, log)
    const closeMetrics = config.metrics && (await listenForMetrics(context.metrics, config.metrics))
    const app = await buildApp(context)
    const listening = await app.listen({ host: config.host, port: config.port })
    const address = listening.replace(/127\.0\.0\.1|\[::1\]/, 'localhost')
    log.info(
      { database: config.databaseUrl ? 'postgresql' : 'embedded', data: config.dataFolder },
      `deal-pipeline is listening on ${address}; API documentation: ${address}/docs`,
    )
    if (config.production && isLoopbackHost(new URL(config.publicUrl).hostname))
      log.warn(`PUBLIC_URL is ${config.publicUrl}: sign-in only works on this machine`)
    const stopBackground = startBackground(context, listening)
    once(['SIGINT', 'SIGTERM'], log, async (signal) => {
      log.info(`${signal}: finishing requests in flight`)
      await Promise.all([app.close(), stopBackground()])
      closeMetrics?.()
      await context.close()
    })
    if (values.demo) {
      const { fillDemo } = await import('./cli/demo/fill.ts')
      await fillDemo(address, console.log)
      console.log(`The demo is ready: ${address} (API documentation: ${address}/docs)`)
    }
  } catch (error) {
    await context.close()
    throw error
  }
}

main().catch((error) => {
  console.error(explainStartupError(error) ?? error)
  process.exit(1)
})
