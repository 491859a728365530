import { performance } from 'node:perf_hooks'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { createRandom } from '#src/cli/demo/random.ts'
import { TEXT_VERSION } from '#src/features/search/embedding-text.ts'
import { findSimilar, type Indexes, searchCompanies } from '#src/features/search/semantic.ts'
import { EmbeddingModels } from '#src/features/search/vectors/embedding-models.ts'
import type { EmbedQueries } from '#src/features/search/vectors/query-vectors.ts'
import type { ActiveModel } from '#src/features/search/vectors/stored-model.ts'
import { storeVectors } from '#src/features/search/vectors/vectors.ts'
import { enqueueAllCompanies, enqueueAllVectors } from '#src/features/search/words/index-changed.ts'
import { LexicalIndex } from '#src/features/search/words/lexical-index.ts'
import type { Db } from '#src/platform/database/database.ts'
import { openDatabase } from '#src/platform/database/open.ts'
import { companyOf } from './companies.ts'
import type { Place } from './load.ts'
import { type Figures, type Load, measure } from './measure.ts'
import { nearest, recallOf, VECTOR_LENGTH } from './nearest.ts'
import { startSearchService } from './processes.ts'
import { quantile } from './quantile.ts'

const CLUSTER_SIZE = 100
const QUESTIONS = 300
/** Words per query. */
const WORDS = 8
const MODEL = { name: 'bench', dimensions: undefined, isAtEndpoint: false }
/** The country of one in a hundred companies. */
const RARE_COUNTRY = 'IS'

export interface SearchFigures {
  name: string
  /** Milliseconds. */
  p50: number
  p95: number
  /** Recall@10; `undefined` if the search is exact. */
  recall?: number
  /** The median of the bare statement divided by the median of the search. */
  ratio?: number
}

export interface SearchBench {
  /** Seconds in which a service indexes all words while it serves list requests. */
  wordsSeconds: number
  /** List requests during indexing, and while the service is idle. */
  underLoad: Figures
  idle: Figures
  /** Seconds to build the vector index. */
  vectorsSeconds: number
  figures: SearchFigures[]
}

const next = createRandom(7)
const normal = () => Math.sqrt(-2 * Math.log(1 - next())) * Math.cos(2 * Math.PI * next())
const around = (center: number[], spread: number) => center.map((number) => number + spread * normal())
const rounded = (vector: number[]) => vector.map((number) => Math.round(number * 1e4) / 1e4)
const text = (vector: number[]) => JSON.stringify(rounded(vector))

/**
 * Measures semantic search over a loaded database, without an endpoint and without HTTP: its recall compared to an
 * exact search, and its time compared to the bare statement.
 */
export async function measureSearch(place: Place, companies: number): Promise<SearchBench> {
  const catchingUp = await measureCatchingUp(place)
  const { db, close } = await openDatabase(place)
  try {
    const { rows } = await sql<{ id: string }>`select id from companies order by id`.execute(db)
    const ids = rows.map(({ id }) => id)
    await sql`update companies set country_code = ${RARE_COUNTRY}
      where id = any(${ids.filter((_id, n) => n % 100 === 0)})`.execute(db)
    const byWords = {
      lexicalIndex: new LexicalIndex(db, TEXT_VERSION, enqueueAllCompanies),
      vectors: undefined,
    }
    const models = new EmbeddingModels(db, MODEL, TEXT_VERSION, enqueueAllVectors)
    const centers = Array.from({ length: Math.max(1, companies / CLUSTER_SIZE) }, () =>
      around(new Array(VECTOR_LENGTH).fill(0), 1),
    )
    const { model, vectorsSeconds } = await fill(db, models, ids, centers)
    await sql`vacuum analyze`.execute(db)
    const questions = Array.from({ length: QUESTIONS }, () =>
      text(around(centers[Math.floor(next() * centers.length)] as number[], 0.7)),
    )
    const byVectors = (embedQuestions: EmbedQueries): Indexes => ({
      ...byWords,
      vectors: { ...ALWAYS_COMPLETE, models, embedQuestions },
    })
    const figures = [
      ...(await measureVectors(db, model, questions, byVectors)),
      ...(await measureWords(db, ids, questions, byVectors, byWords)),
    ]
    return { ...catchingUp, vectorsSeconds, figures }
  } finally {
    await close()
  }
}

const ALWAYS_COMPLETE = {
  fault: () => null,
  weight: 0.5,
  minCosine: 0,
  embeddedShare: async () => 1,
  isOptional: false,
}
const FEW = { country_code: RARE_COUNTRY }

type ByVectors = (embedQuestions: EmbedQueries) => Indexes

/** Times searches by vectors alone, next to the bare statement. */
async function measureVectors(
  db: Db,
  model: ActiveModel,
  questions: string[],
  byVectors: ByVectors,
): Promise<SearchFigures[]> {
  const indexes = byVectors(async (_model, requested) =>
    requested.map((number) => questions[Number(number)] as string),
  )
  const figures: SearchFigures[] = []
  for (const [name, filter] of [
    ['vectors', {}],
    ['vectors, a filter that keeps 1 %', FEW],
    ['vectors, a filter that keeps 90 %', { status: 'active' }],
  ] as const) {
    const times = await timed((n) =>
      searchCompanies(db, indexes, { q: String(n), mode: 'vector', limit: 10, ...filter }),
    )
    const bare = await timed((n) => nearest(db, model, questions[n] as string, filter, false))
    const recall = await recallOf(db, model, questions, filter)
    figures.push({ name, ...times, recall, ratio: bare.p50 / times.p50 })
  }
  return figures
}

/** Times searches by words, and by words and vectors, and the search for similar companies. */
async function measureWords(
  db: Db,
  ids: string[],
  questions: string[],
  byVectors: ByVectors,
  byWords: Indexes,
): Promise<SearchFigures[]> {
  const indexOf = (n: number) => Math.floor((n / QUESTIONS) * ids.length)
  const one = (n: number) => ids[indexOf(n)] as string
  const requested = (n: number) =>
    companyOf(indexOf(n)).activity_description.split(' ').slice(0, WORDS).join(' ')
  const both = (n: number) => byVectors(async () => [questions[n] as string])
  const searches: Record<string, (n: number) => Promise<unknown>> = {
    'words and vectors, companies like one': (n) => findSimilar(db, both(n), one(n), { limit: 20 }),
    'words and vectors': (n) => searchCompanies(db, both(n), { q: requested(n), limit: 20 }),
    words: (n) => searchCompanies(db, byWords, { q: requested(n), limit: 20 }),
    'words, a filter that keeps 1 %': (n) =>
      searchCompanies(db, byWords, { q: requested(n), limit: 20, ...FEW }),
    'words, companies like one': (n) => findSimilar(db, byWords, one(n), { limit: 20 }),
  }
  const figures: SearchFigures[] = []
  for (const [name, search] of Object.entries(searches)) figures.push({ name, ...(await timed(search)) })
  return figures
}

const LISTS: Load = { connections: 4, seconds: 8 }

/** Measures list requests while a service indexes all companies, as after an import. */
async function measureCatchingUp(
  place: Place,
): Promise<Pick<SearchBench, 'wordsSeconds' | 'underLoad' | 'idle'>> {
  const service = await startSearchService(place)
  const lists = () => measure(service.url, () => ({ path: '/api/companies?status=active' }), LISTS)
  const start = performance.now()
  const underLoad = await lists()
  for (;;) {
    const answer = await fetch(`${service.url}/api/companies/search/status`)
    const { data } = (await answer.json()) as { data: { waiting: number } }
    if (data.waiting === 0) break
    await sleep(250)
  }
  const wordsSeconds = (performance.now() - start) / 1000
  const idle = await lists()
  await service.stop()
  return { wordsSeconds, underLoad, idle }
}

async function fill(
  db: Db,
  models: EmbeddingModels,
  ids: string[],
  centers: number[][],
): Promise<{ model: ActiveModel; vectorsSeconds: number }> {
  await models.prepare()
  const [stored] = await models.all()
  if (!stored) throw new Error('The model does not exist.')
  for (let start = 0; start < ids.length; start += 500) {
    const vectors = ids.slice(start, start + 500).map((id, n) => ({
      id,
      text_hash: '',
      vector: rounded(around(centers[(start + n) % centers.length] as number[], 0.7)),
    }))
    await storeVectors(db, stored, vectors)
  }
  await sql`delete from embeddings_due`.execute(db)
  const vectorsSeconds = await seconds(async () => void (await models.setLength(stored, VECTOR_LENGTH)))
  await models.complete()
  const model = await models.answering()
  if (!model) throw new Error('The model does not answer.')
  return { model, vectorsSeconds }
}

async function seconds(work: () => Promise<void>): Promise<number> {
  const start = performance.now()
  await work()
  return (performance.now() - start) / 1000
}

async function timed(work: (n: number) => Promise<unknown>): Promise<{ p50: number; p95: number }> {
  for (let n = 0; n < 20; n++) await work(n)
  const times: number[] = []
  for (let n = 0; n < QUESTIONS; n++) times.push(1000 * (await seconds(async () => void (await work(n)))))
  return { p50: quantile(times, 0.5), p95: quantile(times, 0.95) }
}
