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
  /** The API of the demo, as Ada. */
  api: Client
  /** Stops answering, as a service that has been killed. */
  kill(): Promise<void>
  /** Answers again, with the same data. */
  start(): Promise<void>
  close(): Promise<void>
}

/** Builds the web app, where it is not, and starts the service as `npm run demo` does, with a folder of its own. */
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
  await filled(api)
  return demo
}

/** The demo is filled after it answers. */
async function filled(api: Client): Promise<void> {
  for (let tries = 0; tries < 600; tries++) {
    const { data } = await api.listBulkActions()
    if (data.length > 0 && data.every(({ status }) => status === 'completed')) return
    await sleep(100)
  }
  throw new Error('The demo was not filled.')
}
