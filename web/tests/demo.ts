import { execFileSync } from 'node:child_process'
import { cpSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { ended, launch, type RunningProcess, ready } from '#dev/processes.ts'
import { type Client, createClient } from '#src/client/client.ts'
import { cachedFolder, hashOfFiles } from '#src/testing/cache.ts'
import { eventually } from '#src/testing/eventually.ts'
import { freePort } from '#src/testing/free-port.ts'
import { ada } from '#src/testing/settings.ts'

export interface Demo {
  url: string
  /** The API of the demo, called as Ada. */
  api: Client
  /** Kills the service. */
  kill(): Promise<void>
  /** Starts it again with the same data. */
  start(): Promise<void>
  close(): Promise<void>
}

const FILL_TIMEOUT_MS = 300_000

/**
 * Builds the web app if necessary, and starts the service as `npm run demo` does, with a folder of its own.
 * @param settings further settings of the service
 */
export async function startDemo(settings: Record<string, string> = {}): Promise<Demo> {
  execFileSync(process.execPath, [path.join(import.meta.dirname, '..', 'build.ts'), '--if-needed'])
  const folder = await mkdtemp(path.join(os.tmpdir(), 'deal-pipeline-demo-'))
  cpSync(await filledFolder(), folder, { recursive: true })
  const port = await freePort()
  const { url, api } = at(port)
  let service = await startService(folder, port, settings)
  const kill = async () => {
    service.child.kill('SIGKILL')
    await ended(service.child)
  }
  return {
    url,
    api,
    kill,
    start: async () => {
      service = await startService(folder, port, settings)
    },
    close: async () => {
      await kill()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

const at = (port: number) => {
  const url = `http://localhost:${port}`
  return { url, api: createClient({ baseUrl: url, headers: { 'x-user-email': ada } }) }
}

async function startService(
  folder: string,
  port: number,
  settings: Record<string, string> = {},
): Promise<RunningProcess> {
  const all = { PORT: String(port), LOG_LEVEL: 'warn', ...settings }
  const service = launch('main.ts', folder, all, ['--demo'])
  await ready(at(port).url, service)
  return service
}

/** The folder of a demo that was started, filled and stopped today: some of its data is dated by the day. */
function filledFolder(): Promise<string> {
  const day = new Date().toISOString().slice(0, 10)
  return cachedFolder(`demo-${day}-${hashOfFiles(['src/**/*.ts', 'package-lock.json'])}`, async (folder) => {
    const port = await freePort()
    const { child, log } = await startService(folder, port)
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
