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

const START_TIMEOUT_MS = 120_000
/** A server may listen before it answers. */
const ANSWER_TIMEOUT_MS = 10_000

/** Signs the sessions of the measured service. */
export const BENCH_SECRET = randomBytes(32).toString('base64url')

/** Runs a program on a port. The command is its file, with arguments if it takes any. */
function run(
  command: string,
  port: number,
  { databaseUrl, dataFolder }: Place,
  settings: Record<string, string>,
): Running {
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', ...command.split(' ')], {
    env: {
      ...process.env,
      PORT: String(port),
      DATABASE_URL: databaseUrl ?? '',
      DATA_DIR: dataFolder,
      SESSION_SECRET: BENCH_SECRET,
      // Rate limits are on but never reached.
      RATE_LIMIT_STANDARD: '1000000000',
      RATE_LIMIT_WEB_APP: '1000000000',
      RATE_LIMIT_AI: '1000000000',
      RATE_LIMIT_BULK: '1000000000',
      RATE_LIMIT_IMPORT: '1000000000',
      RATE_LIMIT_LOGOS: '1000000000',
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
  command: string,
  port: number,
  ready: string,
  place: Place,
  settings: Record<string, string> = {},
): Promise<Running> {
  // Otherwise a service that an earlier run left behind would be measured instead.
  if (await answers(new URL(ready, `http://127.0.0.1:${port}`).href))
    throw new Error(`Another process listens on port ${port}.`)
  const running = run(command, port, place, settings)
  const { url, child } = running
  const deadline = Date.now() + START_TIMEOUT_MS
  while (!(await answers(new URL(ready, url).href))) {
    if (child.exitCode !== null || Date.now() > deadline) {
      child.kill('SIGKILL')
      throw new Error(`${command} did not start.`)
    }
    await sleep(100)
  }
  return running
}

const answers = (url: string) =>
  fetch(url, { signal: AbortSignal.timeout(ANSWER_TIMEOUT_MS) }).then(
    (response) => response.arrayBuffer().then(() => true),
    () => false,
  )

/** Without semantic search, whose index would still be catching up with the loaded data. */
export const startService = (place: Place) =>
  start('src/main.ts', 3411, '/readyz', place, { EMBEDDINGS: 'off' })
/** A second process of the same service. */
export const startSecondService = (place: Place) =>
  start('src/main.ts', 3418, '/readyz', place, { EMBEDDINGS: 'off' })
/** Two processes of a service that sends mail. */
export async function startMailServices(place: Place, smtpUrl: string): Promise<Running[]> {
  const settings = { EMBEDDINGS: 'off', SMTP_URL: smtpUrl, MAIL_FROM: 'crm@example.com' }
  const first = await start('src/main.ts', 3420, '/readyz', place, settings)
  return [first, await start('src/main.ts', 3421, '/readyz', place, settings)]
}
/**
 * A service whose limits for slow clients are short, so that a benchmark does not wait for them, and whose bulk actions
 * wait for a worker.
 */
export const startAttackedService = (place: Place) =>
  start('src/main.ts', 3415, '/readyz', place, {
    EMBEDDINGS: 'off',
    WORKER: 'off',
    HEADERS_TIMEOUT_SECONDS: '5',
    BODY_IDLE_TIMEOUT_SECONDS: '5',
  })
const PROVIDER_URL = 'http://localhost:3417'
/** The identity provider for development. */
export const startIdentityProvider = (place: Place) =>
  start('dev/main.ts --port 3417', 3417, `${PROVIDER_URL}/.well-known/openid-configuration`, place)
/** A service without rate limits, of which no dependency is switched off. The identity provider must be running. */
export const startFuzzedService = (place: Place) =>
  start('src/main.ts', 3416, '/readyz', place, {
    RATE_LIMIT_STANDARD: '0',
    RATE_LIMIT_AI: '0',
    RATE_LIMIT_BULK: '0',
    RATE_LIMIT_IMPORT: '0',
    RATE_LIMIT_LOGOS: '0',
    RATE_LIMIT_SIGN_IN: '0',
    LLM: 'builtin',
    EMBEDDINGS: 'builtin',
    LOG_LEVEL: 'error',
    IDP_ISSUER: PROVIDER_URL,
    IDP_CLIENT_ID: 'deal-pipeline',
    IDP_CLIENT_SECRET: 'only-for-development',
    ALLOWED_DOMAIN: 'example.com',
  })
export const startSearchService = (place: Place) => start('src/main.ts', 3413, '/readyz', place)
/** As `npm start` runs it. */
export const startRestingService = (place: Place) =>
  start('src/main.ts', 3419, '/readyz', place, { MALLOC_ARENA_MAX: '1', MALLOC_TRIM_THRESHOLD_: '131072' })
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
