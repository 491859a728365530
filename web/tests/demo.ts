import { execFileSync } from 'node:child_process'
import { cpSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { after, before } from 'node:test'
import { ended, launch, type RunningProcess, ready } from '#dev/processes.ts'
import { buildApp } from '#src/app.ts'
import { type BackgroundWork, startBackground } from '#src/background.ts'
import { DEMO_SETTINGS } from '#src/cli/demo/settings.ts'
import { type Client, createClient } from '#src/client/client.ts'
import { createContext } from '#src/context.ts'
import { loadConfig } from '#src/platform/config/config.ts'
import { cachedFolder, hashOfFiles } from '#src/testing/cache.ts'
import { prepareDataFolder } from '#src/testing/database.ts'
import { eventually } from '#src/testing/eventually.ts'
import { freePort } from '#src/testing/free-port.ts'
import { ada } from '#src/testing/settings.ts'
import { skip, withBrowser } from './browser.ts'

export interface Demo {
  url: string
  /** The API of the demo, called as Ada. */
  api: Client
}

interface RunningDemo extends Demo {
  close(): Promise<void>
}

interface DemoProcess extends RunningDemo {
  /** Kills the service. */
  kill(): Promise<void>
  /** Starts it again with the same data. */
  start(): Promise<void>
}

const FILL_TIMEOUT_MS = 300_000
/** A service that does not stop fails its file, and the next file starts. */
const CLOSE_TIMEOUT_MS = 120_000
const DATA_DIR = 'data-demo'
/** The background work that tests depend on. Running all of it would take a tenth of a core. */
const BACKGROUND: BackgroundWork[] = [
  ...(['access', 'counters', 'words', 'vectors', 'duplicates'] as const),
  ...(['undos', 'fieldValues', 'feedback', 'worker', 'notifications', 'fileTexts'] as const),
]

/**
 * Gives a file a demo of its own, which runs in this process: its code is loaded and compiled once for all files.
 * @param prepare what else the file needs; hooks of a file that runs alone would not wait for each other
 */
export const withDemo = (prepare?: (demo: Demo) => Promise<void>): Demo => forFile(() => startDemo(), prepare)

/** The same, with the rate limits of production. */
export const withLimitedDemo = (): Demo => forFile(() => startDemo(PRODUCTION_LIMITS))

/** The defaults. */
const PRODUCTION_LIMITS = { RATE_LIMIT_STANDARD: '', RATE_LIMIT_WEB_APP: '', RATE_LIMIT_AI: '' }

/** Gives a file a demo that can be killed. */
export const withDemoProcess = (): Omit<DemoProcess, 'close'> => forFile(startDemoProcess)

/** Starts a demo before the tests of a file, and closes it after them. */
function forFile<T extends RunningDemo>(start: () => Promise<T>, prepare?: (demo: Demo) => Promise<void>): T {
  const demo = {} as T
  before(async () => {
    if (skip) return
    buildWebApp()
    Object.assign(demo, await start())
    await prepare?.(demo)
  })
  withBrowser()
  after(() => demo.close?.(), { timeout: CLOSE_TIMEOUT_MS })
  return demo
}

/** Starts the service with the settings of `npm run demo`, in this process. */
async function startDemo(settings: Record<string, string> = {}): Promise<RunningDemo> {
  const folder = await copyOfFilledFolder()
  const port = await freePort()
  const config = loadConfig({
    ...{ EMBEDDINGS: 'builtin-words', RATE_LIMIT_AI: '0', LOG_LEVEL: 'warn', PORT: String(port) },
    ...{ ...DEMO_SETTINGS, DATA_DIR: path.join(folder, DATA_DIR), ...settings },
  })
  const context = await createContext(config)
  const app = await buildApp(context)
  const address = await app.listen({ host: config.host, port: config.port })
  const stopBackground = startBackground(context, address, BACKGROUND)
  return {
    ...at(port),
    close: async () => {
      try {
        await stopBackground()
        await app.close()
      } finally {
        await context.close()
        await rm(folder, { recursive: true, force: true })
      }
    },
  }
}

/** Starts the service as `npm run demo` does, in a process of its own. */
async function startDemoProcess(): Promise<DemoProcess> {
  const folder = await copyOfFilledFolder()
  const port = await freePort()
  let service = await launchDemo(folder, port)
  const kill = async () => {
    service.child.kill('SIGKILL')
    await ended(service.child)
  }
  return {
    ...at(port),
    kill,
    start: async () => {
      service = await launchDemo(folder, port)
    },
    close: async () => {
      await kill()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

const at = (port: number): Demo => {
  const url = `http://localhost:${port}`
  return { url, api: createClient({ baseUrl: url, headers: { 'x-user-email': ada } }) }
}

async function launchDemo(folder: string, port: number): Promise<RunningProcess> {
  const service = launch('main.ts', folder, { PORT: String(port), LOG_LEVEL: 'warn' }, ['--demo'])
  await ready(at(port).url, service)
  return service
}

let filled: Promise<string> | undefined

async function copyOfFilledFolder(): Promise<string> {
  filled ??= filledFolder().catch((error) => {
    filled = undefined
    throw error
  })
  const folder = await mkdtemp(path.join(os.tmpdir(), 'deal-pipeline-demo-'))
  cpSync(await filled, folder, { recursive: true })
  return folder
}

/** The folder of a demo that was started, filled, and stopped today: some of its data depends on the day. */
function filledFolder(): Promise<string> {
  const day = new Date().toISOString().slice(0, 10)
  return cachedFolder(`demo-${day}-${hashOfFiles(['src/**/*.ts', 'package-lock.json'])}`, async (folder) => {
    await prepareDataFolder(path.join(folder, DATA_DIR))
    const port = await freePort()
    const { child, log } = await launchDemo(folder, port)
    try {
      await eventually(() => assertFilled(at(port).api), { timeoutMs: FILL_TIMEOUT_MS })
    } finally {
      child.kill('SIGTERM')
    }
    if ((await ended(child)) !== 0) throw new Error(`The demo did not stop as it should:\n${log()}`)
  })
}

/** The demo is filled after it answers; a bulk action is the last that it starts. */
async function assertFilled(api: Client): Promise<void> {
  const { data } = await api.listBulkActions()
  const isFilled = data.length > 0 && data.every(({ status }) => status === 'completed')
  if (!isFilled) throw new Error('The demo was not filled.')
}

let isBuilt = false

/** Builds the web app if its sources have changed. */
export function buildWebApp(): void {
  if (isBuilt) return
  execFileSync(process.execPath, [path.join(import.meta.dirname, '..', 'build.ts'), '--if-needed'])
  isBuilt = true
}
