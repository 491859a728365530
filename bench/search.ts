import { performance } from 'node:perf_hooks'
import { setTimeout as sleep } from 'node:timers/promises'
import { type RawBuilder, sql } from 'kysely'
import { createRandom } from '#src/cli/demo/random.ts'
import { TEXT_VERSION } from '#src/features/search/embedding-text.ts'
import { readScope } from '#src/features/search/pgvector.ts'
import { findSimilar, type Indexes, searchCompanies } from '#src/features/search/semantic.ts'
import { EmbeddingModels } from '#src/features/search/vectors/embedding-models.ts'
import type { EmbedQuestion } from '#src/features/search/vectors/question-vectors.ts'
import type { AnsweringModel } from '#src/features/search/vectors/stored-model.ts'
import { nearestVectors, storeVectors } from '#src/features/search/vectors/vectors.ts'
import { enqueueAllCompanies, enqueueAllVectors } from '#src/features/search/words/index-changed.ts'
import { LexicalIndex } from '#src/features/search/words/lexical-index.ts'
import type { Db } from '#src/platform/database/database.ts'
import { openDatabase } from '#src/platform/database/open.ts'
import { all } from '#src/platform/database/sql.ts'
import { companyOf } from './companies.ts'
import type { Place } from './load.ts'
import { type Figures, type Load, measure } from './measure.ts'
import { startSearchService } from './processes.ts'

const LENGTH = 384
const CLUSTER_SIZE = 100
const QUESTIONS = 300
/** Words per query. */
const WORDS = 8
const MODEL = { name: 'bench', dimensions: undefined }
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
const text = (vector: number[]) => JSON.stringify(vector.map((number) => Math.round(number * 1e4) / 1e4))

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
    const lexicalIndex = new LexicalIndex(db, TEXT_VERSION, enqueueAllCompanies)
    const models = new EmbeddingModels(db, MODEL, TEXT_VERSION, enqueueAllVectors)
    const centers = Array.from({ length: Math.max(1, companies / CLUSTER_SIZE) }, () =>
      around(new Array(LENGTH).fill(0), 1),
    )
    const { model, vectorsSeconds } = await fill(db, models, ids, centers)
    await sql`vacuum analyze`.execute(db)

    const questions = Array.from({ length: QUESTIONS }, () =>
      text(around(centers[Math.floor(next() * centers.length)] as number[], 0.7)),
    )
    const search = (embedQuestion: EmbedQuestion): Indexes => ({
      lexicalIndex,
      vectors: {
        models,
        embedQuestion,
        fault: () => null,
        weight: 0.5,
        embeddedShare: async () => 1,
        isOptional: false,
      },
    })
    const byVector = search(async (_model, question) => questions[Number(question)] as string)
    const byWords: Indexes = { lexicalIndex, vectors: undefined }
    const asked = (n: number) =>
      companyOf(Math.floor((n / QUESTIONS) * companies))
        .activity_description.split(' ')
        .slice(0, WORDS)
        .join(' ')
    const few = { country_code: RARE_COUNTRY }
    const one = (n: number) => ids[Math.floor((n / QUESTIONS) * ids.length)] as string

    const figures: SearchFigures[] = []
    for (const [name, filter] of [
      ['vectors', {}],
      ['vectors, a filter that keeps 1 %', few],
      ['vectors, a filter that keeps 90 %', { status: 'active' }],
    ] as const) {
      const times = await timed((n) =>
        searchCompanies(db, byVector, { q: String(n), mode: 'vector', limit: 10, ...filter }),
      )
      const bare = await timed((n) => nearest(db, model, questions[n] as string, filter, false))
      figures.push({
        name,
        ...times,
        recall: await recallOf(db, model, questions, filter),
        ratio: bare.p50 / times.p50,
      })
    }
    figures.push(
      {
        name: 'words and vectors, companies like one',
        ...(await timed((n) => findSimilar(db, byVector, one(n), { limit: 20 }))),
      },
      {
        name: 'words and vectors',
        ...(await timed((n) =>
          searchCompanies(
            db,
            search(async () => questions[n] as string),
            { q: asked(n), limit: 20 },
          ),
        )),
      },
      { name: 'words', ...(await timed((n) => searchCompanies(db, byWords, { q: asked(n), limit: 20 }))) },
      {
        name: 'words, a filter that keeps 1 %',
        ...(await timed((n) => searchCompanies(db, byWords, { q: asked(n), limit: 20, ...few }))),
      },
      {
        name: 'words, companies like one',
        ...(await timed((n) => findSimilar(db, byWords, one(n), { limit: 20 }))),
      },
    )
    return { ...catchingUp, vectorsSeconds, figures }
  } finally {
    await close()
  }
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
): Promise<{ model: AnsweringModel; vectorsSeconds: number }> {
  await models.prepare()
  const [stored] = await models.all()
  if (!stored) throw new Error('The model does not exist.')
  for (let start = 0; start < ids.length; start += 500) {
    const vectors = ids.slice(start, start + 500).map((id, n) => ({
      id,
      text_hash: '',
      vector: around(centers[(start + n) % centers.length] as number[], 0.7).map(
        (x) => Math.round(x * 1e4) / 1e4,
      ),
    }))
    await storeVectors(db, stored, vectors)
  }
  await sql`delete from embeddings_due`.execute(db)
  const vectorsSeconds = await seconds(async () => {
    await models.setLength(stored, LENGTH)
  })
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
  times.sort((a, b) => a - b)
  return { p50: times[QUESTIONS / 2] as number, p95: times[Math.floor(QUESTIONS * 0.95)] as number }
}

/** The ten nearest vectors by a bare statement. `exactly` bypasses the index. */
async function nearest(
  db: Db,
  { key }: AnsweringModel,
  question: string,
  filter: { status?: string; country_code?: string },
  exactly: boolean,
): Promise<string[]> {
  const vector = sql`(vector::vector(${sql.lit(LENGTH)}))`
  const distance = sql`${vector} <=> ${question}::vector(${sql.lit(LENGTH)})`
  const conditions: RawBuilder<unknown>[] = [sql`model = ${sql.lit(key)}`]
  if (filter.status) conditions.push(sql`companies.status = ${filter.status}`)
  if (filter.country_code) conditions.push(sql`companies.country_code = ${filter.country_code}`)
  const from = sql`from embeddings ${conditions.length > 1 ? sql`join companies using (id)` : sql``}
    where ${all(conditions)}`
  const { rows } = await sql<{ id: string }>`${
    exactly
      ? sql`select id from (select id, ${distance} as distance ${from} offset 0) compared order by distance limit 10`
      : sql`select id ${from} order by ${distance} limit 10`
  }`.execute(db)
  return rows.map(({ id }) => id)
}

async function recallOf(
  db: Db,
  model: AnsweringModel,
  questions: string[],
  filter: { status?: string; country_code?: string },
): Promise<number> {
  let found = 0
  for (const question of questions) {
    const exact = new Set(await nearest(db, model, question, filter, true))
    const conditions = [
      ...(filter.status ? [sql`status = ${filter.status}`] : []),
      ...(filter.country_code ? [sql`country_code = ${filter.country_code}`] : []),
    ]
    const allowed = await readScope(
      db,
      conditions.length > 0 ? sql`select id from companies where ${all(conditions)}` : undefined,
    )
    const ranked = await nearestVectors(db, model, question, { limit: 10, ...allowed })
    found += ranked.filter(({ id }) => exact.has(id)).length
  }
  return found / (10 * questions.length)
}
