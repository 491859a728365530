import { type RawBuilder, sql } from 'kysely'
import type { Db } from '#src/platform/database.ts'
import type { SparseVector } from '#src/platform/lexical.ts'
import { type RareWords, scoreOf } from '#src/platform/lexical-index.ts'
import { type Allowed, keepsFew } from '#src/platform/pgvector.ts'
import { all } from '#src/platform/sql.ts'

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
  const few = allowed.filter && (await keepsFew(db, allowed.filter))
  if (dimensions.length > 0 && !few) {
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
  const { rows } = await sql<{ id: string; score: number }>`
    select * from (
      select lexical_vectors.id, ${scoreOf(weights)} as score
      from lexical_vectors where ${all([candidates, ...conditions(allowed)])} offset 0) scored
    where score > 0 order by score desc, id desc limit ${depth}`.execute(db)
  return rows.map(({ id, score }) => ({ id, score, similarity: Math.min(1, score / highest) }))
}

/** How many have a word of the question, counted up to `most`. */
export async function countByWords(
  db: Db,
  { weights }: WordsQuery,
  allowed: Allowed,
  most: number,
): Promise<number> {
  const { rows } = await sql<{ total: number }>`
    select count(*)::float8 as total from (
      select from lexical_vectors
      where ${all([sql`words && ${[...weights.keys()]}::int[]`, ...conditions(allowed)])}
      limit ${most}) matching`.execute(db)
  return rows[0]?.total ?? 0
}

const conditions = ({ filter, except }: Allowed): RawBuilder<unknown>[] => [
  ...(filter ? [sql`lexical_vectors.id in (${filter})`] : []),
  ...(except ? [sql`lexical_vectors.id <> ${except}`] : []),
]
