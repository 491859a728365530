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
  /** Of each round, while nothing else is asked for and while companies are listed. */
  alone: number[]
  meanwhile: number[]
  /** The lists, when there is no action and during the actions. */
  idleLists: Figures
  lists: Figures[]
}

export interface ScoringFigures {
  companies: number
  /** Calls of the model in flight: the most at any time, and at the median moment. */
  most: number
  median: number
  /** Companies a second with one worker and with two. */
  one: number
  two: number
}

const EMBEDDED = 10_000
const ROUNDS = 3
const SCORED = 600
/** Calls of the model that a worker makes at a time, each of which takes a second. */
export const CONCURRENCY = 20
const CALL_MS = 1000
/** A worker looks for work by then. */
const STARTED_MS = 3000
const LISTS: Load = { connections: 4 }
const BUSY_LIST: Request = { path: '/api/companies?status=active&country_code=DE' }

/**
 * `generate_embeddings` over companies that no index has yet, by one worker, through the queue and the API; and what
 * that does to those who list companies. On PostgreSQL.
 */
export async function measureEmbedding(place: Place): Promise<EmbeddingFigures> {
  const ids = await load(place, EMBEDDED)
  const { db, close } = await openDatabase(place)
  const index = new LexicalIndex(db, TEXT_VERSION, enqueueAllCompanies)
  await index.prepare()
  // The service would index them by itself.
  await sql`delete from companies_to_embed`.execute(db)
  const service = await startBulkService(place)
  const worker = startWorker(place, service)
  const lists = (load: Partial<Load>) => measure(service.url, () => BUSY_LIST, { ...LISTS, ...load })
  try {
    await lists({ seconds: 2 })
    const figures: EmbeddingFigures = {
      companies: EMBEDDED,
      alone: [],
      meanwhile: [],
      idleLists: await lists({ seconds: 8 }),
      lists: [],
    }
    for (let round = 0; round < ROUNDS; round++) {
      await emptyIndex(db)
      figures.alone.push(await rateOf(service, 'generate_embeddings', ids))
      await emptyIndex(db)
      const action = rateOf(service, 'generate_embeddings', ids)
      figures.lists.push(await lists({ until: action }))
      figures.meanwhile.push(await action)
    }
    return figures
  } finally {
    await worker.stop()
    await service.stop()
    await close()
  }
}

/** As it is before any company has been indexed. */
async function emptyIndex(db: Db): Promise<void> {
  await sql`truncate lexical_vectors, lexical_words`.execute(db)
  await sql`update lexical_corpus set documents = 0`.execute(db)
}

/**
 * Companies a second, from asking for an action until it is completed.
 * @throws Error when it ends otherwise
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

/** `llm_score` with a model that takes a second a call: how many calls are made at a time, by one worker and by two. */
export async function measureScoring(place: Place): Promise<ScoringFigures> {
  const ids = await load(place, SCORED)
  const model = await startSlowModel(CALL_MS)
  const settings = {
    EMBEDDINGS: 'off',
    LLM: 'openai-compatible',
    LLM_BASE_URL: model.url,
    LLM_MODEL: 'slow',
    WORKER_CONCURRENCY: String(CONCURRENCY),
  }
  const service = await startBulkService(place, settings)
  const workers = [startWorker(place, service, settings)]
  try {
    await sleep(STARTED_MS)
    const medianInFlight = watch(model)
    const one = await rateOf(service, 'llm_score', ids)
    const [most, median] = [model.most, medianInFlight()]
    workers.push(startWorker(place, service, settings))
    await sleep(STARTED_MS)
    const two = await rateOf(service, 'llm_score', ids)
    return { companies: SCORED, most, median, one, two }
  } finally {
    for (const worker of workers) await worker.stop()
    await service.stop()
    await model.close()
  }
}

const SAMPLE_MS = 20

/** Looks at how many calls are in flight, until the returned function is called: it gives the median. */
function watch(model: SlowModel): () => number {
  const samples: number[] = []
  const timer = setInterval(() => {
    if (model.most > 0) samples.push(model.inFlight)
  }, SAMPLE_MS)
  return () => {
    clearInterval(timer)
    return samples.toSorted((a, b) => a - b)[Math.floor(samples.length / 2)] ?? 0
  }
}
