import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { after, before, beforeEach } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { type EmbeddingEndpoint, startEmbeddingEndpoint, wordVector } from '#dev/embedding-endpoint.ts'
import {
  type ChatRequest,
  instructionsIn,
  type LanguageModelEndpoint,
  startLanguageModelEndpoint,
} from '#dev/language-model-endpoint.ts'
import { ended, killAll, launch, type RunningProcess, ready } from '#dev/processes.ts'
import { type Client, createClient } from '#src/client/client.ts'
import { createPreparedPostgres, prepareDataFolder, testServer } from '#src/testing/database.ts'
import { freePort } from '#src/testing/free-port.ts'
import { NO_RATE_LIMITS } from '#src/testing/settings.ts'

type BulkAction = Awaited<ReturnType<Client['getBulkAction']>>['data']

/** On a machine that is several times slower than usual. */
const UNTIL_TIMEOUT_MS = 300_000
export const postgresOnly = { skip: !testServer && 'PostgreSQL only' }
export let folder: string
export let endpoint: EmbeddingEndpoint
/** Of workers whose calls a test holds back, apart from those of the service. */
let workerEndpoint: EmbeddingEndpoint
export let languageModel: LanguageModelEndpoint
const drops: (() => Promise<void>)[] = []

/** Starts the endpoints before the tests of a file, and resets them before each. */
export function startBeforeTests(): void {
  before(async () => {
    folder = await mkdtemp(path.join(os.tmpdir(), 'deal-pipeline-worker-'))
    endpoint = await startEmbeddingEndpoint()
    workerEndpoint = await startEmbeddingEndpoint()
    languageModel = await startLanguageModelEndpoint()
  })
  beforeEach(() => {
    for (const each of [endpoint, workerEndpoint, languageModel]) each.failWith = () => undefined
    endpoint.embed = wordVector
    languageModel.answer = judge
    languageModel.requests.length = 0
  })
  after(async () => {
    await killAll()
    for (const drop of drops) await drop()
    await endpoint.close()
    await workerEndpoint.close()
    await languageModel.close()
    await rm(folder, { recursive: true, force: true })
  })
}

export interface Deployment {
  client: Client
  databaseUrl: string
  service: RunningProcess
  startService(settings?: Record<string, string>): Promise<void>
  startWorker(settings?: Record<string, string>): RunningProcess
  stop(): Promise<void>
}

/** Creates a database that is dropped after the tests, if they run on PostgreSQL. */
export async function createDatabase(): Promise<{ url: string } | undefined> {
  if (!testServer) return undefined
  const { url, drop } = await createPreparedPostgres(testServer)
  drops.push(drop)
  return { url }
}

/** Starts a service with its own database or that of the settings, and without a worker unless they add one. */
export async function setUp(name: string, settings: Record<string, string> = {}): Promise<Deployment> {
  const database = settings.DATABASE_URL ? undefined : await createDatabase()
  const dataFolder = path.join(folder, name)
  await prepareDataFolder(dataFolder)
  const port = await freePort()
  const url = `http://localhost:${port}`
  const common = {
    PORT: String(port),
    DATA_DIR: dataFolder,
    DATABASE_URL: database?.url,
    WORKER: 'off',
    ...NO_RATE_LIMITS,
    ...settings,
  }
  const deployment: Deployment = {
    client: createClient({ baseUrl: url, headers: { 'x-user-email': 'ada@example.com' } }),
    databaseUrl: database?.url ?? '',
    service: launch('main.ts', folder, common),
    startService: async (more = {}) => {
      deployment.service = launch('main.ts', folder, { ...common, ...more })
      await ready(url, deployment.service)
    },
    startWorker: (more = {}) => launch('worker/main.ts', folder, { ...common, ...more }),
    stop: async () => {
      deployment.service.child.kill('SIGTERM')
      await ended(deployment.service.child)
    },
  }
  await ready(url, deployment.service)
  return deployment
}

export async function importCompanies(
  client: Client,
  count: number,
  nameOf = (n: number) => `Company ${n}`,
): Promise<string[]> {
  const rows = Array.from({ length: count }, (_value, n) => `${nameOf(n)},Makes gadget ${n} for customers`)
  await client.importCompanies({ body: `name,description\n${rows.join('\n')}\n` })
  const ids: string[] = []
  for (let offset = 0; offset < count; offset += 1000) {
    const { data } = await client.listCompanies({ querystring: { limit: 1000, offset, sort: 'name' } })
    ids.push(...data.map(({ id }) => id))
  }
  assert.equal(new Set(ids).size, count)
  return ids
}

export const startAction = async (
  client: Client,
  company_ids: string[],
  priority_override = 50,
  action_type: BulkAction['action_type'] = 'generate_embeddings',
): Promise<string> => {
  // The service embeds companies too: without this, a worker would have little to do.
  const force = action_type === 'generate_embeddings'
  const body = { action_type, company_ids, priority_override, force }
  return (await client.createBulkAction({ body })).data.id
}

export async function until(
  client: Client,
  id: string,
  isReached: (action: BulkAction) => boolean,
): Promise<BulkAction> {
  let previous = 0
  const deadline = performance.now() + UNTIL_TIMEOUT_MS
  while (performance.now() < deadline) {
    const action = await client.getBulkAction({ params: { id } }).catch(() => undefined)
    if (action) {
      const { total_companies, processed_companies, failed_companies } = action.data
      const settled = processed_companies + failed_companies
      assert.ok(settled >= previous && settled <= total_companies, JSON.stringify(action.data))
      previous = settled
      if (isReached(action.data)) return action.data
    }
    await sleep(50)
  }
  throw new Error(`Not reached: ${JSON.stringify(await client.getBulkAction({ params: { id } }))}`)
}

export const hasEnded = ({ completed_at }: BulkAction) => completed_at !== null

/** Counts the companies' rows by state and attempts; the counters must agree with them. */
export async function rowsOf({ databaseUrl }: Deployment, id: string): Promise<Record<string, number>> {
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  const { rows } = await client.query(
    'select state, attempts, count(*)::int as n from bulk_action_companies where bulk_action_id = $1 group by 1, 2',
    [id],
  )
  await client.end()
  return Object.fromEntries(rows.map(({ state, attempts, n }) => [`${state} ${attempts}`, n]))
}

export const byEndpoint = () => ({
  EMBEDDINGS: 'openai-compatible',
  EMBEDDINGS_BASE_URL: endpoint.url,
  EMBEDDINGS_MODEL: 'small',
})

/** Makes the worker's own endpoint answer this many batches, and the others once they are released. */
export function holdAfter(batches: number): { settings: Record<string, string>; release: () => void } {
  const { promise, resolve } = Promise.withResolvers<void>()
  let left = batches
  workerEndpoint.failWith = () => (left-- > 0 ? undefined : { after: promise })
  return { settings: { EMBEDDINGS_BASE_URL: workerEndpoint.url }, release: resolve }
}

/** Scores every criterion 40. */
function judge(request: ChatRequest): string {
  const names = [...instructionsIn(request).matchAll(/^- (\w+): [A-Z].*\?/gm)].map((match) => match[1])
  return JSON.stringify({
    criteria: names.map((name) => ({ name, score: 40, reason: 'Middling.', evidence: [] })),
  })
}

export const byLanguageModel = () => ({
  LLM: 'openai-compatible',
  LLM_BASE_URL: languageModel.url,
  LLM_MODEL: 'small',
})
