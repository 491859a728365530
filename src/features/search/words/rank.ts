import { type RawBuilder, sql } from 'kysely'
import type { Db } from '#src/platform/database/database.ts'
import { rowsFrom } from '#src/platform/database/rows.ts'
import type { SparseVector } from '#src/platform/lexical.ts'
import { rowsInScope, type SearchScope } from '../pgvector.ts'
import { type RareWords, scoreOf } from './lexical-index.ts'

/** A query by the weights of words. */
export interface WordsQuery {
  weights: SparseVector
  /** The highest possible score. */
  maxScore: number
  rare: RareWords
  /** Whether looking up the companies that contain any word is faster than reading all companies. */
  isLookupFaster?: boolean
  /** The sum of the weights of all words of a question, also of those that no company contains. */
  totalWeight?: number
}

export interface RankedCompany {
  id: string
  /** From 0 to 1. */
  similarity: number
  /** How much words and vectors contribute to the similarity; together 1. */
  shares: Shares
}

export interface CompanyByWords extends RankedCompany {
  /** The sum of the weights of its words. */
  score: number
}

export interface Shares {
  words: number
  meaning: number
}

export const BY_WORDS: Shares = { words: 1, meaning: 0 }
export const BY_MEANING: Shares = { words: 0, meaning: 1 }

/** The best companies, best first. The rare words suffice if no company without them can be among the best. */
export async function rankByWords(
  db: Db,
  query: WordsQuery,
  scope: SearchScope,
  depth: number,
): Promise<CompanyByWords[]> {
  if (query.weights.size === 0) return []
  if (scope.isSmall) return rank(db, query, scope, depth, sql`true`)
  const { dimensions, frequency, bound } = query.rare
  // Fewer companies than requested are enough only if there are no other words.
  if (dimensions.length > 0 && (bound === 0 || frequency >= depth)) {
    const found = await rank(db, query, scope, depth, containsAny(dimensions))
    const last = found[depth - 1]
    if (bound === 0 || (last && last.score > bound)) return found
  }
  const candidates = query.isLookupFaster ? containsAny([...query.weights.keys()]) : sql`true`
  return rank(db, query, scope, depth, candidates)
}

const containsAny = (words: number[]): RawBuilder<unknown> => sql`words && ${words}::int[]`

/**
 * The best of the companies that contain one of the rare words; in a small scope, or without rare words, of all companies.
 * Faster than `rankByWords`, for queries of many words.
 */
export function findByWords(
  db: Db,
  query: WordsQuery,
  scope: SearchScope,
  depth: number,
): Promise<RankedCompany[]> | RankedCompany[] {
  const { weights, rare } = query
  if (weights.size === 0) return []
  const isRare = rare.dimensions.length > 0 && !scope.isSmall
  return rank(db, query, scope, depth, isRare ? containsAny(rare.dimensions) : sql`true`)
}

async function rank(
  db: Db,
  { weights, maxScore }: WordsQuery,
  scope: SearchScope,
  depth: number,
  candidates: RawBuilder<unknown>,
): Promise<CompanyByWords[]> {
  const scored = rowsInScope('lexical_vectors', sql`id, ${scoreOf(weights)} as score`, candidates, scope)
  const { rows } = await sql<{ id: string; score: number }>`
    select * from (${scored}) scored where score > 0 order by score desc, id desc limit ${depth}`.execute(db)
  return rows.map(({ id, score }) => ({
    id,
    score,
    similarity: Math.min(1, score / maxScore),
    shares: BY_WORDS,
  }))
}

/** The number of companies that contain a word of the question, counted up to `max`. */
export async function countByWords(
  db: Db,
  { weights }: WordsQuery,
  scope: SearchScope,
  max: number,
): Promise<number> {
  const matching = containsAny([...weights.keys()])
  const { rows } = await sql<{ total: number }>`
    select count(*)::float8 as total from (
      select from (${rowsInScope('lexical_vectors', sql`id`, matching, scope)}) scope limit ${max}) counted`.execute(
    db,
  )
  return rows[0]?.total ?? 0
}

/** Those of the companies that contain most words of a question. Rare words count more. */
export async function containingMost(
  db: Db,
  { weights, totalWeight }: WordsQuery,
  ids: string[],
  minShare: number,
): Promise<Set<string>> {
  if (!totalWeight || ids.length === 0) return new Set()
  const words = Array.from(weights, ([dimension, weight]) => ({ dimension, weight }))
  const { rows } = await sql<{ id: string }>`
    select id from lexical_vectors where id = any(${ids}) and (
      select sum(weight) from ${rowsFrom('question', { dimension: 'int', weight: 'float8' }, words)}
      where dimension = any(lexical_vectors.words)) >= ${minShare * totalWeight}::float8`.execute(db)
  return new Set(rows.map(({ id }) => id))
}
