import { execFileSync } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { ended, launch, ready } from '#dev/processes.ts'
import { type Client, createClient } from '#src/client/client.ts'
import { ada, freePort } from '#src/testing.ts'

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

/** Builds the web app if needed, and starts the service like `npm run demo`, with a data folder of its own. */
export async function startDemo(): Promise<Demo> {
  execFileSync(process.execPath, [path.join(import.meta.dirname, '..', 'build.ts'), '--if-needed'])
  const folder = await mkdtemp(path.join(os.tmpdir(), 'deal-pipeline-demo-'))
  const port = await freePort()
  const url = `http://localhost:${port}`
  const api = createClient({ baseUrl: url, headers: { 'x-user-email': ada } })
  let service = launch('main.ts', folder, { PORT: String(port), LOG_LEVEL: 'warn' }, ['--demo'])
  const kill = async () => {
    service.child.kill('SIGKILL')
    await ended(service.child)
  }
  const demo: Demo = {
    url,
    api,
    kill,
    start: async () => {
      service = launch('main.ts', folder, { PORT: String(port), LOG_LEVEL: 'warn' }, ['--demo'])
      await ready(url, service)
    },
    close: async () => {
      await kill()
      await rm(folder, { recursive: true, force: true })
    },
  }
  await ready(url, service)
  await dataLoaded(api)
  return demo
}

/** The demo data is loaded after the service is ready. */
async function dataLoaded(api: Client): Promise<void> {
  for (let tries = 0; tries < 600; tries++) {
    const { data } = await api.listBulkActions()
    if (data.length > 0 && data.every(({ status }) => status === 'completed')) return
    await sleep(100)
  }
  throw new Error('The demo data was not loaded.')
}
