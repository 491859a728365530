import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { createClient } from '#src/client/client.ts'
import { TEXT_VERSION } from '#src/features/search/embedding-text.ts'
import { enqueueAllCompanies } from '#src/features/search/words/index-changed.ts'
import { LexicalIndex } from '#src/features/search/words/lexical-index.ts'
import type { Db } from '#src/platform/database/database.ts'
import { openDatabase } from '#src/platform/database/open.ts'
import { type SlowModel, startSlowModel } from './language-model.ts'
import { load, type Place } from './load.ts'
import { type Figures, type Load, measure, type Request } from './measure.ts'
import { type Running, startBulkService, startWorker } from './processes.ts'

export interface EmbeddingFigures {
  companies: number
  /** Companies per second in each round, without and with concurrent list requests. */
  alone: number[]
  underLoad: number[]
  /** List requests without an action and during the actions. */
  idleLists: Figures
  lists: Figures[]
}

export interface ScoringFigures {
  companies: number
  /** Concurrent model calls: maximum and median. */
  max: number
  median: number
  /** Companies per second with one worker and with two. */
  one: number
  two: number
}

const EMBEDDED = 10_000
const ROUNDS = 3
const SCORED = 600
/** Concurrent model calls per worker; each takes one second. */
export const CONCURRENCY = 20
const CALL_MS = 1000
/** A worker polls for work by then. */
const WORKER_START_MS = 3000
const LISTS: Load = { connections: 4 }
const BUSY_LIST: Request = { path: '/api/companies?status=active&country_code=DE' }

/**
 * Measures `generate_embeddings` over companies that are not indexed yet, by one worker through the queue and the
 * API, and its effect on list requests. PostgreSQL only.
 */
export async function measureEmbedding(place: Place): Promise<EmbeddingFigures> {
  const ids = await load(place, EMBEDDED)
  const { db, close } = await openDatabase(place)
  const index = new LexicalIndex(db, TEXT_VERSION, enqueueAllCompanies)
  await index.prepare()
  // Otherwise the service would index them.
  await sql`delete from companies_to_embed`.execute(db)
  const service = await startBulkService(place)
  const worker = startWorker(place, service)
  const lists = (load: Partial<Load>) => measure(service.url, () => BUSY_LIST, { ...LISTS, ...load })
  try {
    await lists({ seconds: 2 })
    const figures: EmbeddingFigures = {
      companies: EMBEDDED,
      alone: [],
      underLoad: [],
      idleLists: await lists({ seconds: 8 }),
      lists: [],
    }
    for (let round = 0; round < ROUNDS; round++) {
      await emptyIndex(db)
      figures.alone.push(await rateOf(service, 'generate_embeddings', ids))
      await emptyIndex(db)
      const action = rateOf(service, 'generate_embeddings', ids)
      figures.lists.push(await lists({ until: action }))
      figures.underLoad.push(await action)
    }
    return figures
  } finally {
    await worker.stop()
    await service.stop()
    await close()
  }
}

/** Resets the index to its state before any company was indexed. */
async function emptyIndex(db: Db): Promise<void> {
  await sql`truncate lexical_vectors, lexical_words`.execute(db)
  await sql`update lexical_corpus set documents = 0`.execute(db)
}

/**
 * Companies per second, from the request for an action to its completion.
 * @throws Error if the action does not complete
 */
async function rateOf(
  { url }: Running,
  action_type: 'generate_embeddings' | 'llm_score',
  company_ids: string[],
): Promise<number> {
  const client = createClient({ baseUrl: url, headers: { 'x-user-email': 'bench@example.com' } })
  const start = Date.now()
  const { id } = (await client.createBulkAction({ body: { action_type, company_ids, force: true } })).data
  await new Response(await client.getBulkActionEvents({ params: { id } })).text()
  const { data } = await client.getBulkAction({ params: { id } })
  if (data.status !== 'completed' || data.processed_companies !== company_ids.length)
    throw new Error(`The action did not succeed: ${JSON.stringify(data)}`)
  return company_ids.length / ((Date.parse(data.completed_at as string) - start) / 1000)
}

const SLOW_MODEL = {
  EMBEDDINGS: 'off',
  LLM: 'openai-compatible',
  LLM_MODEL: 'slow',
  WORKER_CONCURRENCY: String(CONCURRENCY),
}

/** Measures how many calls one worker and two make concurrently for `llm_score` with a slow model. */
export async function measureScoring(place: Place): Promise<ScoringFigures> {
  const ids = await load(place, SCORED)
  const model = await startSlowModel(CALL_MS)
  const settings = { ...SLOW_MODEL, LLM_BASE_URL: model.url }
  const service = await startBulkService(place, settings)
  const workers = [startWorker(place, service, settings)]
  try {
    await sleep(WORKER_START_MS)
    const medianInFlight = watch(model)
    const one = await rateOf(service, 'llm_score', ids)
    const [max, median] = [model.max, medianInFlight()]
    workers.push(startWorker(place, service, settings))
    await sleep(WORKER_START_MS)
    const two = await rateOf(service, 'llm_score', ids)
    return { companies: SCORED, max, median, one, two }
  } finally {
    for (const worker of workers) await worker.stop()
    await service.stop()
    await model.close()
  }
}

const SAMPLE_MS = 20

/** Samples the calls in flight. The returned function stops sampling and returns the median. */
function watch(model: SlowModel): () => number {
  const samples: number[] = []
  const timer = setInterval(() => {
    if (model.max > 0) samples.push(model.inFlight)
  }, SAMPLE_MS)
  return () => {
    clearInterval(timer)
    return samples.toSorted((a, b) => a - b)[Math.floor(samples.length / 2)] ?? 0
  }
}
