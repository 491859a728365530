import { mkdtemp, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { ended, killAll, launch, type RunningProcess, ready } from '#dev/processes.ts'
import { type Client, createClient } from '#src/client/client.ts'
import { openDatabase } from '#src/platform/database/open.ts'
import { createPreparedPostgres, prepareDataFolder, testServer } from './database.ts'
import { freePort } from './free-port.ts'
import { ada, NO_RATE_LIMITS } from './settings.ts'

/** A service in a process of its own, whose data outlives it. */
export interface KillableService {
  port: number
  client: Client
  /** Its settings, for commands that work on its data. */
  settings: Record<string, string | undefined>
  start(): Promise<RunningProcess>
  /** Opens its database. The embedded one can be opened only while the service does not run. */
  openData(): ReturnType<typeof openDatabase>
}

const removals: (() => Promise<unknown>)[] = []

/** Prepares a service with a database of its own. */
export async function killableService(
  settings: Record<string, string | undefined>,
): Promise<KillableService> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'deal-pipeline-killed-'))
  const database = testServer ? await createPreparedPostgres(testServer) : undefined
  await prepareDataFolder(folder)
  removals.push(() => rm(folder, { recursive: true, force: true }), database?.drop ?? (async () => {}))
  const port = await freePort()
  const baseUrl = `http://localhost:${port}`
  const own = { PORT: String(port), DATA_DIR: folder, DATABASE_URL: database?.url }
  return {
    port,
    client: createClient({ baseUrl, headers: { 'x-user-email': ada } }),
    settings: { ...settings, ...own },
    start: async () => {
      const service = launch('main.ts', folder, { ...NO_RATE_LIMITS, WORKER: 'off', ...settings, ...own })
      await ready(baseUrl, service)
      return service
    },
    openData: () => openDatabase({ databaseUrl: database?.url, dataFolder: folder }),
  }
}

/** Kills a service as `kill -9` does, and waits for its end. */
export async function killService({ child }: RunningProcess): Promise<void> {
  child.kill('SIGKILL')
  await ended(child)
}

/** Kills the services of a file, and removes their data. */
export async function removeServices(): Promise<void> {
  await killAll()
  for (const remove of removals.splice(0).toReversed()) await remove()
}
