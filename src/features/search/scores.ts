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

/** The exact scores of these companies. Without a vector to compare, they have words alone. */
export async function readScores(
  db: Db,
  ids: string[],
  weights: SparseVector,
  compared: { model: AnsweringModel; vector: string } | undefined,
): Promise<Scores[]> {
  const cosine = compared
    ? sql`(select ${similarityTo(compared.model, compared.vector)} from embeddings
        where ${ofModel(compared.model)} and id = candidate.id)`
    : sql`null::float8`
  const { rows } = await sql<Scores>`
    select candidate.id, coalesce(${scoreOf(weights)}, 0)::float8 as words, ${cosine} as cosine
    from unnest(${ids}::text[]) as candidate (id)
    left join lexical_vectors on lexical_vectors.id = candidate.id`.execute(db)
  return rows
}
