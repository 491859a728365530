import { type RawBuilder, sql } from 'kysely'
import { type Allowed, allowedRows } from '#src/features/search/pgvector.ts'
import type { Db } from '#src/platform/database/database.ts'
import type { SparseVector } from '#src/platform/models/lexical.ts'
import { type RareWords, scoreOf } from './lexical-index.ts'

/** What companies are ranked by: the weights of words. */
export interface WordsQuery {
  weights: SparseVector
  /** The highest score that a company could have. */
  highest: number
  rare: RareWords
}

export interface Ranked {
  id: string
  /** From 0 to 1. */
  similarity: number
}

/** The companies that answer best, the best first: by the rare words alone, where no other can be among them. */
export async function rankByWords(
  db: Db,
  query: WordsQuery,
  allowed: Allowed,
  depth: number,
): Promise<Ranked[]> {
  if (query.weights.size === 0) return []
  const { dimensions, bound } = query.rare
  if (dimensions.length > 0 && !allowed.areFew) {
    const found = await rank(db, query, allowed, depth, sql`words && ${dimensions}::int[]`)
    const last = found[depth - 1]
    if (bound === 0 || (last && last.score > bound)) return found
  }
  return rank(db, query, allowed, depth, sql`true`)
}

async function rank(
  db: Db,
  { weights, highest }: WordsQuery,
  allowed: Allowed,
  depth: number,
  candidates: RawBuilder<unknown>,
): Promise<(Ranked & { score: number })[]> {
  const scored = allowedRows('lexical_vectors', sql`id, ${scoreOf(weights)} as score`, candidates, allowed)
  const { rows } = await sql<{ id: string; score: number }>`
    select * from (${scored}) scored where score > 0 order by score desc, id desc limit ${depth}`.execute(db)
  return rows.map(({ id, score }) => ({ id, score, similarity: Math.min(1, score / highest) }))
}

/** How many have a word of the question, counted up to `most`. */
export async function countByWords(
  db: Db,
  { weights }: WordsQuery,
  allowed: Allowed,
  most: number,
): Promise<number> {
  const matching = sql`words && ${[...weights.keys()]}::int[]`
  const { rows } = await sql<{ total: number }>`
    select count(*)::float8 as total from (
      select from (${allowedRows('lexical_vectors', sql`id`, matching, allowed)}) allowed limit ${most}) counted`.execute(
    db,
  )
  return rows[0]?.total ?? 0
}
