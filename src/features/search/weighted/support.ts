import { type RawBuilder, sql } from 'kysely'
import { LRUCache } from 'lru-cache'
import type { Db } from '#src/platform/database/database.ts'
import { rowsFrom } from '#src/platform/database/rows.ts'
import type { ActiveModel } from '../vectors/stored-model.ts'
import { comparedType, indexedVector, ofModel } from '../vectors/vector-index.ts'
import type { ParsedText, WeightedQuery } from './weighted-query.ts'

/** How well a company supports a text. */
export interface Support {
  /** The share of the words of the text's core that the company contains, from 0 to 1. Rare words count more. */
  share: number
  /** Whether its meaning is much nearer to the text than that of most companies. */
  isNear: boolean
}

/** The number of companies that show which cosines a text usually has. */
const SAMPLE_SIZE = 300
/** A near company is this many deviations nearer than the median. */
const MIN_DEVIATIONS = 3
/** Whatever the sample: with fewer companies than it needs, chance decides. */
const MIN_COSINE = 0.3
const MAX_CACHED_THRESHOLDS = 1000
const CACHE_MS = 600_000

/** How well each company supports each text, in the order of the texts. */
export async function readSupport(
  db: Db,
  { compared, documents }: Pick<WeightedQuery, 'compared' | 'documents'>,
  texts: ParsedText[],
  ids: string[],
): Promise<Map<string, Support[]>> {
  if (ids.length === 0 || texts.length === 0) return new Map(ids.map((id) => [id, []]))
  const [words, cosines, thresholds] = await Promise.all([
    readWords(db, ids),
    compared && readCosines(db, compared.model, texts, ids),
    compared && readThresholds(db, compared.model, texts, documents),
  ])
  return new Map(
    ids.map((id) => [
      id,
      texts.map(({ core }, n) => ({
        share: shareOf(core, words.get(id) ?? new Set()),
        isNear: (cosines?.get(id)?.[n] ?? 0) >= (thresholds?.[n] ?? Number.POSITIVE_INFINITY),
      })),
    ]),
  )
}

/** The share of the words, weighted by their rarity, that are among these words. */
export function shareOf(rarity: ReadonlyMap<number, number>, dimensions: ReadonlySet<number>): number {
  let [total, contained] = [0, 0]
  for (const [dimension, weight] of rarity) {
    total += weight
    if (dimensions.has(dimension)) contained += weight
  }
  return total === 0 ? 0 : contained / total
}

async function readWords(db: Db, ids: string[]): Promise<Map<string, Set<number>>> {
  const { rows } = await sql<{ id: string; words: number[] }>`
    select id, words from lexical_vectors where id = any(${ids})`.execute(db)
  return new Map(rows.map(({ id, words }) => [id, new Set(words)]))
}

async function readCosines(
  db: Db,
  model: ActiveModel,
  texts: ParsedText[],
  ids: string[],
): Promise<Map<string, number[]>> {
  const rows = cosinesOf(model, texts, sql`embeddings where ${ofModel(model)} and id = any(${ids})`)
  const result = await sql<{ id: string; cosines: number[] }>`
    select id, array_agg(cosine order by n) as cosines from (${rows}) compared group by id`.execute(db)
  return new Map(result.rows.map(({ id, cosines }) => [id, cosines]))
}

const thresholdCache = new LRUCache<string, number>({ max: MAX_CACHED_THRESHOLDS, ttl: CACHE_MS })

/** The cosine from which on a company is near to a text, from a sample of the companies. */
async function readThresholds(
  db: Db,
  model: ActiveModel,
  texts: ParsedText[],
  documents: number,
): Promise<number[]> {
  const keyOf = ({ text }: ParsedText) => JSON.stringify([model.key, documents, text])
  const missing = texts.filter((text) => !thresholdCache.has(keyOf(text)))
  if (missing.length > 0) {
    const percent = Math.min(100, (100 * SAMPLE_SIZE) / Math.max(1, documents))
    const sample = sql`embeddings tablesample bernoulli (${sql.lit(percent)}) repeatable (1) where ${ofModel(model)}`
    const { rows } = await sql<{ n: number; low: number; median: number }>`
      select n, percentile_cont(0.16) within group (order by cosine) as low,
        percentile_cont(0.5) within group (order by cosine) as median
      from (${cosinesOf(model, missing, sample)}) compared group by n`.execute(db)
    // The lower half alone shows the deviation: the upper one has the companies that support the text.
    for (const { n, low, median } of rows) {
      const text = missing[n]
      const threshold = Math.max(MIN_COSINE, median + MIN_DEVIATIONS * (median - low))
      if (text) thresholdCache.set(keyOf(text), threshold)
    }
  }
  return texts.map((text) => thresholdCache.get(keyOf(text)) ?? Number.POSITIVE_INFINITY)
}

const TEXT_COLUMNS = { n: 'int', vector: 'text' } as const

/** The cosines of each of the companies and each text. Materialized, so that each vector is read once. */
function cosinesOf(
  { length }: ActiveModel,
  texts: ParsedText[],
  companies: RawBuilder<unknown>,
): RawBuilder<unknown> {
  const rows = texts.map(({ vector = '' }, n) => ({ n, vector }))
  return sql`
    with texts as materialized (
      select n, vector::${comparedType(length)} as vector from ${rowsFrom('given', TEXT_COLUMNS, rows)}),
    companies as materialized (select id, ${indexedVector(length)} as vector from ${companies})
    select companies.id, n, greatest(0, 1 - (companies.vector <=> texts.vector))::float8 as cosine
    from companies cross join texts`
}
