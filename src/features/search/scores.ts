import { sql } from 'kysely'
import type { Db } from '#src/platform/database/database.ts'
import type { SparseVector } from '#src/platform/models/lexical.ts'
import type { AnsweringModel } from './vectors/stored-model.ts'
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

/** The exact scores of these companies. */
export async function readScores(
  db: Db,
  ids: string[],
  weights: SparseVector,
  { model, vector }: { model: AnsweringModel; vector: string },
): Promise<Scores[]> {
  const { rows } = await sql<Scores>`
    select candidate.id, coalesce(${scoreOf(weights)}, 0)::float8 as words,
      (select ${similarityTo(model, vector)} from embeddings where ${ofModel(model)} and id = candidate.id) as cosine
    from unnest(${ids}::text[]) as candidate (id)
    left join lexical_vectors on lexical_vectors.id = candidate.id`.execute(db)
  return rows
}
