import { type RawBuilder, sql } from 'kysely'
import type { Db } from '#src/platform/database/database.ts'
import type { SparseVector } from '#src/platform/lexical.ts'
import type { ActiveModel } from './vectors/stored-model.ts'
import { ofModel } from './vectors/vector-index.ts'
import { similarityTo } from './vectors/vectors.ts'
import { scoreOf } from './words/lexical-index.ts'

/** How well a company matches a question, by words and by its vector. */
export interface Scores {
  id: string
  /** The score of its words, at least 0. */
  words: number
  /** The cosine of the angle between the vectors, from 0 to 1; null if the company has no vector. */
  cosine: number | null
}

/** Scores by the id of a company. */
type ScoresById = ReadonlyMap<string, number>

/**
 * The exact scores of these companies. Without a vector to compare, they have words alone.
 * @param known scores that need not be read
 */
export async function readScores(
  db: Db,
  ids: string[],
  weights: SparseVector,
  compared: { model: ActiveModel; vector: string } | undefined,
  known: { words: ScoresById; cosines: ScoresById } = { words: new Map(), cosines: new Map() },
): Promise<Scores[]> {
  const [words, cosines] = await Promise.all([
    readById(db, scoreOf(weights), sql`lexical_vectors`, sql`true`, withoutScore(ids, known.words)),
    compared
      ? readById(
          db,
          similarityTo(compared.model, compared.vector),
          sql`embeddings`,
          ofModel(compared.model),
          withoutScore(ids, known.cosines),
        )
      : new Map<string, number>(),
  ])
  return ids.map((id) => ({
    id,
    words: known.words.get(id) ?? words.get(id) ?? 0,
    cosine: known.cosines.get(id) ?? cosines.get(id) ?? null,
  }))
}

const withoutScore = (ids: string[], known: ScoresById): string[] => ids.filter((id) => !known.has(id))

async function readById(
  db: Db,
  score: RawBuilder<number>,
  table: RawBuilder<unknown>,
  where: RawBuilder<unknown>,
  ids: string[],
): Promise<ScoresById> {
  if (ids.length === 0) return new Map()
  const { rows } = await sql<{ id: string; score: number }>`
    select id, ${score} as score from ${table} where ${where} and id = any(${ids})`.execute(db)
  return new Map(rows.map(({ id, score }) => [id, score]))
}
