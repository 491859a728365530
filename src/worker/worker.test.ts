import assert from 'node:assert/strict'
import { mkdtemp, rename, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { after, before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { type EmbeddingEndpoint, startEmbeddingEndpoint, wordVector } from '#dev/embedding-endpoint.ts'
import {
  type ChatRequest,
  instructionsIn,
  type LanguageModelEndpoint,
  startLanguageModelEndpoint,
} from '#dev/language-model-endpoint.ts'
import { ended, killAll, launch, openProxy, type RunningProcess, ready } from '#dev/processes.ts'
import { type Client, createClient } from '#src/client/client.ts'
import {
  createPostgres,
  createPreparedPostgres,
  prepareDataFolder,
  testServer,
} from '#src/testing/database.ts'
import { freePort } from '#src/testing/free-port.ts'
import { NO_RATE_LIMITS } from '#src/testing/settings.ts'

type BulkAction = Awaited<ReturnType<Client['getBulkAction']>>['data']

/** On a machine that is several times slower than usual. */
const UNTIL_TIMEOUT_MS = 300_000
const postgresOnly = { skip: !testServer && 'PostgreSQL only' }
let folder: string
let endpoint: EmbeddingEndpoint
/** Of workers whose calls a test holds back, apart from those of the service. */
let workerEndpoint: EmbeddingEndpoint
let languageModel: LanguageModelEndpoint
const drops: (() => Promise<void>)[] = []
before(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'deal-pipeline-worker-'))
  endpoint = await startEmbeddingEndpoint()
  workerEndpoint = await startEmbeddingEndpoint()
  languageModel = await startLanguageModelEndpoint()
})
after(async () => {
  await killAll()
  for (const drop of drops) await drop()
  await endpoint.close()
  await workerEndpoint.close()
  await languageModel.close()
  await rm(folder, { recursive: true, force: true })
})

interface Deployment {
  client: Client
  databaseUrl: string
  service: RunningProcess
  startService(settings?: Record<string, string>): Promise<void>
  startWorker(settings?: Record<string, string>): RunningProcess
  stop(): Promise<void>
}

/** Starts a service with its own database, and without a worker unless the settings add one. */
async function setUp(name: string, settings: Record<string, string> = {}): Promise<Deployment> {
  const database = testServer ? await createPreparedPostgres(testServer) : undefined
  if (database) drops.push(database.drop)
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

async function importCompanies(
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

const startAction = async (
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

async function until(
  client: Client,
  id: string,
  isReached: (action: BulkAction) => boolean,
): Promise<BulkAction> {
  let former = 0
  const deadline = performance.now() + UNTIL_TIMEOUT_MS
  while (performance.now() < deadline) {
    const action = await client.getBulkAction({ params: { id } }).catch(() => undefined)
    if (action) {
      const { total_companies, processed_companies, failed_companies } = action.data
      const settled = processed_companies + failed_companies
      assert.ok(settled >= former && settled <= total_companies, JSON.stringify(action.data))
      former = settled
      if (isReached(action.data)) return action.data
    }
    await sleep(50)
  }
  throw new Error(`Not reached: ${JSON.stringify(await client.getBulkAction({ params: { id } }))}`)
}

const hasEnded = ({ completed_at }: BulkAction) => completed_at !== null

/** Counts the companies' rows by state and attempts; the counters must agree with them. */
async function rowsOf({ databaseUrl }: Deployment, id: string): Promise<Record<string, number>> {
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  const { rows } = await client.query(
    'select state, attempts, count(*)::int as n from bulk_action_companies where bulk_action_id = $1 group by 1, 2',
    [id],
  )
  await client.end()
  return Object.fromEntries(rows.map(({ state, attempts, n }) => [`${state} ${attempts}`, n]))
}

test('the service runs a worker itself and reports progress', async () => {
  const deployment = await setUp('own', { WORKER: 'in-process' })
  const ids = await importCompanies(deployment.client, 350)
  const id = await startAction(deployment.client, ids)
  const text = await new Response(await deployment.client.getBulkActionEvents({ params: { id } })).text()
  assert.match(
    text,
    /event: end\ndata: .*"status":"completed".*"processed_companies":350,"failed_companies":0/,
  )
  await deployment.stop()
})

test('actions that need a model wait until the service restarts with one', async () => {
  const withoutModels = { WORKER: 'in-process', LLM: 'off', EMBEDDINGS: 'off' }
  const deployment = await setUp('without-models', withoutModels)
  const { client } = deployment
  const ids = await importCompanies(client, 30)
  const actions: string[] = []
  for (const type of ['generate_embeddings', 'llm_score', 'enrich_profile'] as const)
    actions.push(await startAction(client, ids, 50, type))
  const read = () =>
    Promise.all(actions.map(async (id) => (await client.getBulkAction({ params: { id } })).data))
  const waiting = await read()
  for (const { status, waiting_for } of waiting) {
    assert.equal(status, 'pending')
    assert.match(waiting_for ?? '', /and restart the service: the action starts then/)
  }
  await sleep(5000)
  assert.deepEqual(await read(), waiting, 'the worker does not touch them')
  deployment.service.child.kill('SIGKILL')
  await ended(deployment.service.child)
  await deployment.startService({ LLM: 'builtin', EMBEDDINGS: 'builtin-words' })
  for (const id of actions) {
    const { status, processed_companies, waiting_for } = await until(client, id, hasEnded)
    assert.deepEqual([status, processed_companies, waiting_for], ['completed', 30, null])
  }
  await deployment.stop()
})

const byEndpoint = () => ({
  EMBEDDINGS: 'openai-compatible',
  EMBEDDINGS_BASE_URL: endpoint.url,
  EMBEDDINGS_MODEL: 'small',
})

/** Makes the worker's own endpoint answer this many batches, and the others once they are released. */
function holdAfter(batches: number): { settings: Record<string, string>; release: () => void } {
  const { promise, resolve } = Promise.withResolvers<void>()
  let left = batches
  workerEndpoint.failWith = () => (left-- > 0 ? undefined : { after: promise })
  return { settings: { EMBEDDINGS_BASE_URL: workerEndpoint.url }, release: resolve }
}

test('another worker replaces one that is killed: nothing is lost or done twice', postgresOnly, async () => {
  const deployment = await setUp('killed', byEndpoint())
  const ids = await importCompanies(deployment.client, 3000)
  const id = await startAction(deployment.client, ids)
  const { settings, release } = holdAfter(4)
  const first = deployment.startWorker({ ...settings, WORKER_CONCURRENCY: '2' })
  await until(deployment.client, id, ({ processed_companies }) => processed_companies >= 300)
  first.child.kill('SIGKILL')
  await ended(first.child)
  const { completed_at } = await until(deployment.client, id, () => true)
  assert.equal(completed_at, null, 'it was killed before the end')
  release()
  const second = deployment.startWorker(settings)
  const action = await until(deployment.client, id, hasEnded)
  assert.deepEqual(
    [action.status, action.processed_companies, action.failed_companies],
    ['completed', 3000, 0],
  )
  assert.deepEqual(await rowsOf(deployment, id), { 'processed 1': 3000 })
  second.child.kill('SIGTERM')
  assert.equal(await ended(second.child), 0)
  await deployment.stop()
})

test('work continues after the service is killed and restarted', postgresOnly, async () => {
  const deployment = await setUp('service-killed')
  const ids = await importCompanies(deployment.client, 3000)
  const id = await startAction(deployment.client, ids)
  const worker = deployment.startWorker({ WORKER_CONCURRENCY: '2' })
  await until(deployment.client, id, ({ processed_companies }) => processed_companies >= 300)
  deployment.service.child.kill('SIGKILL')
  await ended(deployment.service.child)
  await sleep(1500)
  await deployment.startService()
  const action = await until(deployment.client, id, hasEnded)
  assert.deepEqual([action.status, action.processed_companies], ['completed', 3000])
  assert.deepEqual(await rowsOf(deployment, id), { 'processed 1': 3000 })
  worker.child.kill('SIGKILL')
  await deployment.stop()
})

test('work continues after a database outage', postgresOnly, async () => {
  const database = await createPostgres(testServer as string)
  drops.push(database.drop)
  const passage = await openProxy(database.url)
  const deployment = await setUp('database-away', { DATABASE_URL: passage.url })
  deployment.databaseUrl = database.url
  const ids = await importCompanies(deployment.client, 3000)
  const id = await startAction(deployment.client, ids)
  const worker = deployment.startWorker({ WORKER_CONCURRENCY: '2' })
  await until(deployment.client, id, ({ processed_companies }) => processed_companies >= 300)
  passage.cut()
  await sleep(3000)
  await passage.open()
  const action = await until(deployment.client, id, hasEnded)
  assert.deepEqual([action.status, action.processed_companies], ['completed', 3000])
  assert.deepEqual(await rowsOf(deployment, id), { 'processed 1': 3000 })
  assert.equal(worker.child.exitCode, null)
  assert.equal(deployment.service.child.exitCode, null)
  worker.child.kill('SIGKILL')
  await deployment.stop()
  passage.cut()
})

test('an urgent action overtakes a running one', postgresOnly, async () => {
  const deployment = await setUp('urgent', byEndpoint())
  const ids = await importCompanies(deployment.client, 1000)
  const slow = await startAction(deployment.client, ids, 10)
  const { settings, release } = holdAfter(1)
  const worker = deployment.startWorker({ ...settings, WORKER_CONCURRENCY: '1' })
  await until(deployment.client, slow, ({ processed_companies }) => processed_companies > 0)
  const urgent = await startAction(deployment.client, ids.slice(0, 200), 95)
  release()
  const done = await until(deployment.client, urgent, hasEnded)
  const other = await until(deployment.client, slow, hasEnded)
  assert.equal(done.status, 'completed')
  assert.ok(
    String(done.completed_at) < String(other.completed_at),
    'the action with low priority ended later',
  )
  worker.child.kill('SIGKILL')
  await deployment.stop()
})

test(
  'an outage of the embedding model and failing companies do not stop other companies',
  postgresOnly,
  async () => {
    const deployment = await setUp('model', byEndpoint())
    let isDown = true
    endpoint.failWith = () => (isDown ? { status: 503, headers: { 'retry-after-ms': '1' } } : undefined)
    endpoint.embed = (text, dimensions) =>
      text.startsWith('Seventh') ? new Array(dimensions).fill(0) : wordVector(text, dimensions)
    const ids = await importCompanies(deployment.client, 1400, (n) =>
      n % 7 === 6 ? `Seventh ${n}` : `Company ${n}`,
    )
    const id = await startAction(deployment.client, ids)
    const workers = [deployment.startWorker(), deployment.startWorker()]
    const waiting = await until(deployment.client, id, ({ waiting_for }) => waiting_for !== null)
    assert.deepEqual([waiting.processed_companies, waiting.failed_companies], [0, 0])
    isDown = false
    const action = await until(deployment.client, id, hasEnded)
    assert.deepEqual(
      [action.status, action.processed_companies, action.failed_companies],
      ['completed', 1200, 200],
    )
    assert.equal((action.error_summary as { refused: { count: number } }).refused.count, 200)
    assert.deepEqual(await rowsOf(deployment, id), { 'processed 1': 1200, 'failed 1': 200 })
    for (const { child } of workers) child.kill('SIGKILL')
    await deployment.stop()
  },
)

/** Scores every criterion 40. */
function judge(request: ChatRequest): string {
  const names = [...instructionsIn(request).matchAll(/^- (\w+): [A-Z].*\?/gm)].map((match) => match[1])
  return JSON.stringify({
    criteria: names.map((name) => ({ name, score: 40, reason: 'Middling.', evidence: [] })),
  })
}

const byLanguageModel = () => ({
  LLM: 'openai-compatible',
  LLM_BASE_URL: languageModel.url,
  LLM_MODEL: 'small',
})

test(
  'after a worker is killed during model calls, companies that are scored are not scored again',
  postgresOnly,
  async () => {
    const deployment = await setUp('scoring-killed', byLanguageModel())
    languageModel.requests.length = 0
    languageModel.failWith = () => ({ delay: 20 })
    languageModel.answer = judge
    const ids = await importCompanies(deployment.client, 400)
    const id = await startAction(deployment.client, ids, 50, 'llm_score')
    const first = deployment.startWorker({ WORKER_CONCURRENCY: '5' })
    await until(deployment.client, id, ({ processed_companies }) => processed_companies >= 50)
    first.child.kill('SIGKILL')
    await ended(first.child)
    const workers = [deployment.startWorker(), deployment.startWorker()]
    const action = await until(deployment.client, id, hasEnded)
    assert.deepEqual([action.status, action.processed_companies], ['completed', 400])
    assert.deepEqual(await rowsOf(deployment, id), { 'processed 1': 400 })
    assert.equal(action.usage.calls, 400)
    const lost = languageModel.requests.length - 400
    assert.ok(lost <= 5, `${lost} calls of the killed worker were lost`)
    for (const { child } of workers) child.kill('SIGKILL')
    await deployment.stop()
  },
)

test(
  'an outage of the language model and companies it rejects do not stop other companies',
  postgresOnly,
  async () => {
    const deployment = await setUp('scoring-down', byLanguageModel())
    let isDown = true
    languageModel.answer = judge
    languageModel.failWith = ({ messages }) => {
      if (isDown) return { status: 503, headers: { 'retry-after': '1' } }
      return messages[1]?.content.includes('Seventh') ? { status: 400, message: 'cannot be read' } : undefined
    }
    const ids = await importCompanies(deployment.client, 140, (n) =>
      n % 7 === 6 ? `Seventh ${n}` : `Company ${n}`,
    )
    const id = await startAction(deployment.client, ids, 50, 'llm_score')
    const worker = deployment.startWorker()
    const waiting = await until(deployment.client, id, ({ waiting_for }) => waiting_for !== null)
    assert.match(waiting.waiting_for ?? '', /The language model failed \(503\)/)
    assert.deepEqual([waiting.processed_companies, waiting.failed_companies], [0, 0])
    isDown = false
    const action = await until(deployment.client, id, hasEnded)
    assert.deepEqual(
      [action.status, action.processed_companies, action.failed_companies, action.waiting_for],
      ['completed', 120, 20, null],
    )
    assert.equal((action.error_summary as { refused: { count: number } }).refused.count, 20)
    worker.child.kill('SIGKILL')
    await deployment.stop()
  },
)

test('work waits while object storage rejects writes', async () => {
  const deployment = await setUp('objects-refused', { WORKER: 'in-process', LLM: 'builtin' })
  const ids = await importCompanies(deployment.client, 20)
  const objects = path.join(folder, 'objects-refused', 'objects')
  await rename(objects, `${objects}.away`)
  await writeFile(objects, 'in the way')
  const id = await startAction(deployment.client, ids, 50, 'enrich_profile')
  const waiting = await until(deployment.client, id, ({ waiting_for }) => waiting_for !== null)
  assert.match(waiting.waiting_for ?? '', /object storage does not accept enrichment profiles/)
  assert.equal(waiting.processed_companies, 0)
  await rm(objects)
  await rename(`${objects}.away`, objects)
  const action = await until(deployment.client, id, hasEnded)
  assert.deepEqual([action.status, action.processed_companies], ['completed', 20])
  const { company } = (await deployment.client.getCompany({ params: { id: ids[0] ?? '' } })).data
  assert.equal(company.enriched_data?.model, 'builtin-heuristic')
  await deployment.stop()
})
