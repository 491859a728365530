import { type ChildProcess, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Place } from './load.ts'

export interface Running {
  url: string
  child: ChildProcess
  stop(): Promise<void>
}

const START_TIMEOUT_MS = 60_000

/** Signs the sessions of the measured service. */
export const BENCH_SECRET = randomBytes(32).toString('base64url')

/** Runs a program on a port. */
function run(
  file: string,
  port: number,
  { databaseUrl, dataFolder }: Place,
  settings: Record<string, string>,
): Running {
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', file], {
    env: {
      ...process.env,
      PORT: String(port),
      DATABASE_URL: databaseUrl ?? '',
      DATA_DIR: dataFolder,
      SESSION_SECRET: BENCH_SECRET,
      // Rate limits are on but never reached.
      RATE_LIMIT_STANDARD: '1000000000',
      RATE_LIMIT_AI: '1000000000',
      RATE_LIMIT_BULK: '1000000000',
      RATE_LIMIT_IMPORT: '1000000000',
      ...settings,
    },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  const stop = async () => {
    const exit = once(child, 'exit')
    child.kill('SIGTERM')
    await exit
  }
  return { url: `http://127.0.0.1:${port}`, child, stop }
}

/** Starts a program on a port and waits until it answers. */
async function start(
  file: string,
  port: number,
  ready: string,
  place: Place,
  settings: Record<string, string> = {},
): Promise<Running> {
  const running = run(file, port, place, settings)
  const { url, child } = running
  const deadline = Date.now() + START_TIMEOUT_MS
  while (!(await answers(url + ready))) {
    if (child.exitCode !== null || Date.now() > deadline) throw new Error(`${file} did not start.`)
    await sleep(100)
  }
  return running
}

const answers = (url: string) =>
  fetch(url).then(
    (response) => response.arrayBuffer().then(() => true),
    () => false,
  )

/** Without semantic search, whose index would still be catching up with the loaded data. */
export const startService = (place: Place) =>
  start('src/main.ts', 3411, '/readyz', place, { EMBEDDINGS: 'off' })
/** A service whose limits for slow clients are short, so that a benchmark does not wait for them. */
export const startAttackedService = (place: Place) =>
  start('src/main.ts', 3415, '/readyz', place, {
    EMBEDDINGS: 'off',
    HEADERS_TIMEOUT_SECONDS: '5',
    BODY_IDLE_TIMEOUT_SECONDS: '5',
  })
export const startSearchService = (place: Place) => start('src/main.ts', 3413, '/readyz', place)
/** A service that leaves bulk actions to separate workers. */
export const startBulkService = (place: Place, settings: Record<string, string> = {}) =>
  start('src/main.ts', 3814, '/readyz', place, { WORKER: 'off', ...settings })
/** A worker for that service. */
export const startWorker = (place: Place, { url }: Running, settings: Record<string, string> = {}): Running =>
  run('src/worker/main.ts', 0, place, { API_URL: url, ...settings })
export const startLimit = (place: Place) => start('bench/limit.ts', 3412, '/api/companies?offset=0', place)

export const startFilesLimit = (place: Place) => start('bench/files-limit.ts', 3414, '/', place)

/** The resident memory of a process in MB. */
export async function memoryOf(child: ChildProcess): Promise<number> {
  const status = await readFile(`/proc/${child.pid}/status`, 'utf8')
  return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1024
}
