import type { Db } from '#src/platform/database/database.ts'
import { countSupported, fuse, nearestOf } from './fusion.ts'
import type { SearchScope } from './pgvector.ts'
import { readScores } from './scores.ts'
import type { ActiveModel } from './vectors/stored-model.ts'
import { countVectors, nearestVectors } from './vectors/vectors.ts'
import {
  BY_MEANING,
  type CompanyByWords,
  containingMost,
  countByWords,
  type RankedCompany,
  rankByWords,
  type WordsQuery,
} from './words/rank.ts'

/** Rankings end here, because deeper pages cost more and are rarely read. */
const MAX_RANK = 1000
/** The length of the rankings that are fused. It is the same for all pages, so that no page repeats a company. */
const FUSION_DEPTH = 100
/** Words find a company strongly if their score is at least this part of the best one, … */
const MIN_SHARE_OF_BEST = 0.4
/** … or if it contains at least this part of the question. */
const MIN_CONTAINED = 0.8
/** At most this many companies are results by their meaning alone. */
const NEAREST = 10

/** A vector to compare companies with, and the model that made it. */
export interface ComparedVector {
  model: ActiveModel
  /** In pgvector's text format. */
  vector: string
}

/** The weight of vectors relative to words. */
export interface VectorFusion {
  /** From 0 to 1. */
  vectorWeight: number
  /** With a lower cosine, only words make a company a result. */
  minCosine: number
}

/** A ranking, and what its results are shown with. */
export interface Ranking {
  /** At least up to the end of the page. */
  ranked: RankedCompany[]
  total: number
  /** The key of the model whose vectors were compared. */
  model?: string
}

interface Page {
  limit: number
  offset: number
}

const rankDepth = ({ limit, offset }: Page): number => Math.min(MAX_RANK, offset + limit)

/** The best companies by words, for `rankByBoth`. */
export const bestByWords = (db: Db, words: WordsQuery, scope: SearchScope): Promise<CompanyByWords[]> =>
  rankByWords(db, words, scope, FUSION_DEPTH)

/**
 * Ranks by words and vectors: the best companies of each ranking, by both scores.
 * @param byWords the best by words, which may be known before there is a vector to compare
 */
export async function rankByBoth(
  db: Db,
  words: WordsQuery,
  byWords: Promise<CompanyByWords[]>,
  compared: ComparedVector,
  scope: SearchScope,
  fusion: Promise<VectorFusion>,
): Promise<Ranking> {
  const { model, vector } = compared
  const [foundByWords, { vectorWeight, minCosine }, byVector] = await Promise.all([
    byWords,
    fusion,
    nearestVectors(db, model, vector, { limit: FUSION_DEPTH, ...scope }),
  ])
  const ids = [...new Set([...foundByWords, ...byVector].map(({ id }) => id))]
  const [scores, containing] = await Promise.all([
    readScores(db, ids, words.weights, compared, {
      words: new Map(foundByWords.map(({ id, score }) => [id, score])),
      cosines: new Map(byVector.map(({ id, similarity }) => [id, similarity])),
    }),
    containingMost(db, words, ids, MIN_CONTAINED),
  ])
  const fused = fuse(scores, { vectorWeight, maxScore: words.maxScore })
  const near = nearestOf(scores, NEAREST, minCosine)
  const minScore = MIN_SHARE_OF_BEST * Math.max(0, ...scores.map(({ words: score }) => score))
  const byWord = new Set(
    scores.filter(({ words: score }) => score > 0 && score >= minScore).map(({ id }) => id),
  )
  // Each score keeps what it finds, so that neither can cut a result of the other.
  const ranked = fused.filter(({ id }) => near.has(id) || byWord.has(id) || containing.has(id))
  return { ranked, total: ranked.length, model: model.key }
}

/** Ranks by vectors alone. */
export async function rankByVector(
  db: Db,
  { model, vector }: ComparedVector,
  scope: SearchScope,
  page: Page,
): Promise<Ranking> {
  const [nearest, total] = await Promise.all([
    nearestVectors(db, model, vector, { limit: rankDepth(page), ...scope }),
    countVectors(db, model, scope, MAX_RANK),
  ])
  return { ranked: nearest.map((neighbor) => ({ ...neighbor, shares: BY_MEANING })), total, model: model.key }
}

/** Ranks by words alone. */
export async function rankByWordsAlone(
  db: Db,
  words: WordsQuery,
  scope: SearchScope,
  { isCut, ...page }: Page & { isCut: boolean },
): Promise<Ranking> {
  if (isCut) {
    const all = await rankByWords(db, words, scope, MAX_RANK)
    const supported = countSupported(all, MIN_SHARE_OF_BEST)
    const others = all.slice(supported).map(({ id }) => id)
    const containing = await containingMost(db, words, others, MIN_CONTAINED)
    const ranked = all.filter(({ id }, position) => position < supported || containing.has(id))
    return { ranked, total: ranked.length }
  }
  const [ranked, total] = await Promise.all([
    rankByWords(db, words, scope, rankDepth(page)),
    countByWords(db, words, scope, MAX_RANK),
  ])
  return { ranked, total }
}
