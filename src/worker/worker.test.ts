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
import { type Client, createClient, type Work } from '#src/client/client.ts'
import { createPostgres, prepareDataFolder, testServer } from '#src/testing/database.ts'
import { freePort } from '#src/testing/free-port.ts'
import { NO_RATE_LIMITS } from '#src/testing/settings.ts'
import { embeddingHandler } from './embeddings.ts'

type BulkAction = Awaited<ReturnType<Client['getBulkAction']>>['data']

const postgresOnly = { skip: !testServer && 'PostgreSQL only' }
let folder: string
let endpoint: EmbeddingEndpoint
let languageModel: LanguageModelEndpoint
const drops: (() => Promise<void>)[] = []
before(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'deal-pipeline-worker-'))
  endpoint = await startEmbeddingEndpoint()
  languageModel = await startLanguageModelEndpoint()
})
after(async () => {
  killAll()
  for (const drop of drops) await drop()
  await endpoint.close()
  await languageModel.close()
  await rm(folder, { recursive: true, force: true })
})

interface Stage {
  client: Client
  databaseUrl: string
  service: RunningProcess
  startService(settings?: Record<string, string>): Promise<void>
  startWorker(settings?: Record<string, string>): RunningProcess
  stop(): Promise<void>
}

/** A service on a database of its own, whose work others do unless the settings say so. */
async function setUp(name: string, settings: Record<string, string> = {}): Promise<Stage> {
  const database = testServer ? await createPostgres(testServer) : undefined
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
  const stage: Stage = {
    client: createClient({ baseUrl: url, headers: { 'x-user-email': 'ada@example.com' } }),
    databaseUrl: database?.url ?? '',
    service: launch('main.ts', folder, common),
    startService: async (more = {}) => {
      stage.service = launch('main.ts', folder, { ...common, ...more })
      await ready(url, stage.service)
    },
    startWorker: (more = {}) => launch('worker/main.ts', folder, { ...common, ...more }),
    stop: async () => {
      stage.service.child.kill('SIGTERM')
      await ended(stage.service.child)
    },
  }
  await ready(url, stage.service)
  return stage
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
): Promise<string> =>
  (await client.createBulkAction({ body: { action_type, company_ids, priority_override } })).data.id

async function until(
  client: Client,
  id: string,
  isReached: (action: BulkAction) => boolean,
): Promise<BulkAction> {
  let former = 0
  for (let tries = 0; tries < 1800; tries++) {
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

/** What the rows of the companies say, which the counters have to agree with. */
async function rowsOf({ databaseUrl }: Stage, id: string): Promise<Record<string, number>> {
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  const { rows } = await client.query(
    'select state, attempts, count(*)::int as n from bulk_action_companies where bulk_action_id = $1 group by 1, 2',
    [id],
  )
  await client.end()
  return Object.fromEntries(rows.map(({ state, attempts, n }) => [`${state} ${attempts}`, n]))
}

test('the service does the work by itself, and says how far it is', async () => {
  const stage = await setUp('own', { WORKER: 'in-process' })
  const ids = await importCompanies(stage.client, 350)
  const id = await startAction(stage.client, ids)
  const text = await new Response(await stage.client.getBulkActionEvents({ params: { id } })).text()
  assert.match(
    text,
    /event: end\ndata: .*"status":"completed".*"processed_companies":350,"failed_companies":0/,
  )
  await stage.stop()
})

test('what waits for a model is left alone until the service is started again with one', async () => {
  const withoutModels = { WORKER: 'in-process', LLM: 'off', EMBEDDINGS: 'off' }
  const stage = await setUp('without-models', withoutModels)
  const { client } = stage
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
  assert.deepEqual(await read(), waiting, 'the worker has not touched them')
  stage.service.child.kill('SIGKILL')
  await ended(stage.service.child)
  await stage.startService({ LLM: 'builtin', EMBEDDINGS: 'builtin' })
  for (const id of actions) {
    const { status, processed_companies, waiting_for } = await until(client, id, hasEnded)
    assert.deepEqual([status, processed_companies, waiting_for], ['completed', 30, null])
  }
  await stage.stop()
})

test(
  'a worker that is killed is replaced: nothing is lost, and nothing is done twice',
  postgresOnly,
  async () => {
    const stage = await setUp('killed')
    const ids = await importCompanies(stage.client, 10_000)
    const id = await startAction(stage.client, ids)
    const first = stage.startWorker({ WORKER_CONCURRENCY: '2' })
    await until(stage.client, id, ({ processed_companies }) => processed_companies >= 300)
    first.child.kill('SIGKILL')
    await ended(first.child)
    const { completed_at } = await until(stage.client, id, () => true)
    assert.equal(completed_at, null, 'it was killed in the middle')
    const second = stage.startWorker()
    const action = await until(stage.client, id, hasEnded)
    assert.deepEqual(
      [action.status, action.processed_companies, action.failed_companies],
      ['completed', 10_000, 0],
    )
    assert.deepEqual(await rowsOf(stage, id), { 'processed 1': 10_000 })
    second.child.kill('SIGTERM')
    assert.equal(await ended(second.child), 0)
    await stage.stop()
  },
)

test('the service is killed and comes back: the work goes on', postgresOnly, async () => {
  const stage = await setUp('service-killed')
  const ids = await importCompanies(stage.client, 3000)
  const id = await startAction(stage.client, ids)
  const worker = stage.startWorker({ WORKER_CONCURRENCY: '2' })
  await until(stage.client, id, ({ processed_companies }) => processed_companies >= 300)
  stage.service.child.kill('SIGKILL')
  await ended(stage.service.child)
  await sleep(1500)
  await stage.startService()
  const action = await until(stage.client, id, hasEnded)
  assert.deepEqual([action.status, action.processed_companies], ['completed', 3000])
  assert.deepEqual(await rowsOf(stage, id), { 'processed 1': 3000 })
  worker.child.kill('SIGKILL')
  await stage.stop()
})

test('the database goes away and comes back: the work goes on', postgresOnly, async () => {
  const database = await createPostgres(testServer as string)
  drops.push(database.drop)
  const passage = await openProxy(database.url)
  const stage = await setUp('database-away', { DATABASE_URL: passage.url })
  stage.databaseUrl = database.url
  const ids = await importCompanies(stage.client, 3000)
  const id = await startAction(stage.client, ids)
  const worker = stage.startWorker({ WORKER_CONCURRENCY: '2' })
  await until(stage.client, id, ({ processed_companies }) => processed_companies >= 300)
  passage.cut()
  await sleep(3000)
  await passage.open()
  const action = await until(stage.client, id, hasEnded)
  assert.deepEqual([action.status, action.processed_companies], ['completed', 3000])
  assert.deepEqual(await rowsOf(stage, id), { 'processed 1': 3000 })
  assert.equal(worker.child.exitCode, null)
  assert.equal(stage.service.child.exitCode, null)
  worker.child.kill('SIGKILL')
  await stage.stop()
  passage.cut()
})

test('an urgent action overtakes one that is running', postgresOnly, async () => {
  const stage = await setUp('urgent')
  const ids = await importCompanies(stage.client, 5000)
  const slow = await startAction(stage.client, ids, 10)
  const worker = stage.startWorker({ WORKER_CONCURRENCY: '1' })
  await until(stage.client, slow, ({ processed_companies }) => processed_companies > 0)
  const urgent = await startAction(stage.client, ids.slice(0, 200), 95)
  const done = await until(stage.client, urgent, hasEnded)
  const other = (await stage.client.getBulkAction({ params: { id: slow } })).data
  assert.equal(done.status, 'completed')
  assert.equal(other.completed_at, null, 'the one of low priority has not ended before')
  await until(stage.client, slow, hasEnded)
  worker.child.kill('SIGKILL')
  await stage.stop()
})

test(
  'a model that is down for a while, and companies that fail, do not stop the others',
  postgresOnly,
  async () => {
    const stage = await setUp('model', {
      EMBEDDINGS: 'openai-compatible',
      EMBEDDINGS_BASE_URL: endpoint.url,
      EMBEDDINGS_MODEL: 'small',
    })
    let isDown = true
    endpoint.failWith = () => (isDown ? { status: 503, headers: { 'retry-after-ms': '1' } } : undefined)
    endpoint.embed = (text, dimensions) =>
      text.startsWith('Seventh') ? new Array(dimensions).fill(0) : wordVector(text, dimensions)
    const ids = await importCompanies(stage.client, 1400, (n) =>
      n % 7 === 6 ? `Seventh ${n}` : `Company ${n}`,
    )
    const id = await startAction(stage.client, ids)
    const workers = [stage.startWorker(), stage.startWorker()]
    await sleep(4000)
    const waiting = (await stage.client.getBulkAction({ params: { id } })).data
    assert.deepEqual([waiting.processed_companies, waiting.failed_companies], [0, 0])
    isDown = false
    const action = await until(stage.client, id, hasEnded)
    assert.deepEqual(
      [action.status, action.processed_companies, action.failed_companies],
      ['completed', 1200, 200],
    )
    assert.equal((action.error_summary as { refused: { count: number } }).refused.count, 200)
    assert.deepEqual(await rowsOf(stage, id), { 'processed 1': 1200, 'failed 1': 200 })
    for (const { child } of workers) child.kill('SIGKILL')
    await stage.stop()
  },
)

/** Finds everything middling. */
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
  'a worker that is killed while a language model answers: what was scored is not asked for again',
  postgresOnly,
  async () => {
    const stage = await setUp('scoring-killed', byLanguageModel())
    languageModel.requests.length = 0
    languageModel.failWith = () => ({ delay: 20 })
    languageModel.answer = judge
    const ids = await importCompanies(stage.client, 400)
    const id = await startAction(stage.client, ids, 50, 'llm_score')
    const first = stage.startWorker({ WORKER_CONCURRENCY: '5' })
    await until(stage.client, id, ({ processed_companies }) => processed_companies >= 50)
    first.child.kill('SIGKILL')
    await ended(first.child)
    const workers = [stage.startWorker(), stage.startWorker()]
    const action = await until(stage.client, id, hasEnded)
    assert.deepEqual([action.status, action.processed_companies], ['completed', 400])
    assert.deepEqual(await rowsOf(stage, id), { 'processed 1': 400 })
    assert.equal(action.usage.calls, 400)
    const lost = languageModel.requests.length - 400
    assert.ok(lost <= 5, `${lost} answers were on their way to the worker that was killed`)
    for (const { child } of workers) child.kill('SIGKILL')
    await stage.stop()
  },
)

test(
  'a language model that is down, and companies that it chokes on, do not stop the others',
  postgresOnly,
  async () => {
    const stage = await setUp('scoring-down', byLanguageModel())
    let isDown = true
    languageModel.answer = judge
    languageModel.failWith = ({ messages }) => {
      if (isDown) return { status: 503, headers: { 'retry-after': '1' } }
      return messages[1]?.content.includes('Seventh') ? { status: 400, message: 'cannot be read' } : undefined
    }
    const ids = await importCompanies(stage.client, 140, (n) =>
      n % 7 === 6 ? `Seventh ${n}` : `Company ${n}`,
    )
    const id = await startAction(stage.client, ids, 50, 'llm_score')
    const worker = stage.startWorker()
    const waiting = await until(stage.client, id, ({ waiting_for }) => waiting_for !== null)
    assert.match(waiting.waiting_for ?? '', /The language model failed \(503\)/)
    assert.deepEqual([waiting.processed_companies, waiting.failed_companies], [0, 0])
    isDown = false
    const action = await until(stage.client, id, hasEnded)
    assert.deepEqual(
      [action.status, action.processed_companies, action.failed_companies, action.waiting_for],
      ['completed', 120, 20, null],
    )
    assert.equal((action.error_summary as { refused: { count: number } }).refused.count, 20)
    worker.child.kill('SIGKILL')
    await stage.stop()
  },
)

test('an object storage that refuses writes makes the work wait until it takes them', async () => {
  const stage = await setUp('objects-refused', { WORKER: 'in-process', LLM: 'builtin' })
  const ids = await importCompanies(stage.client, 20)
  const objects = path.join(folder, 'objects-refused', 'objects')
  await rename(objects, `${objects}.away`)
  await writeFile(objects, 'in the way')
  const id = await startAction(stage.client, ids, 50, 'enrich_profile')
  const waiting = await until(stage.client, id, ({ waiting_for }) => waiting_for !== null)
  assert.match(waiting.waiting_for ?? '', /object storage does not take enrichment profiles/)
  assert.equal(waiting.processed_companies, 0)
  await rm(objects)
  await rename(`${objects}.away`, objects)
  const action = await until(stage.client, id, hasEnded)
  assert.deepEqual([action.status, action.processed_companies], ['completed', 20])
  const { company } = (await stage.client.getCompany({ params: { id: ids[0] ?? '' } })).data
  assert.equal(company.enriched_data?.model, 'builtin-heuristic')
  await stage.stop()
})

test('a worker of its own needs PostgreSQL, and says so', async () => {
  const { child, log } = launch('worker/main.ts', folder, { DATA_DIR: path.join(folder, 'none') })
  assert.equal(await ended(child), 1)
  assert.match(log(), /^DATABASE_URL: a worker of its own needs PostgreSQL/)
})

test('a worker with other settings than the service refuses its work', async () => {
  const handler = embeddingHandler({ kind: 'builtin', endpoint: undefined })
  const work: Work = {
    action_type: 'generate_embeddings',
    status: 'running',
    is_over_budget: false,
    company_ids: ['cmp_1'],
    embedding: {
      model: { key: 'small, text 1', name: 'small', dimensions: null },
      companies: [{ company_id: 'cmp_1', text: 'Acme', text_hash: '', is_current: false }],
    },
  }
  const progress = { stopped: new AbortController().signal, onRetry: () => {} }
  await assert.rejects(Array.fromAsync(handler(work, progress)), /other EMBEDDINGS settings/)
})
