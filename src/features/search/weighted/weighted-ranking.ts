import type { Db } from '#src/platform/database/database.ts'
import { fuse } from '../fusion.ts'
import type { SearchScope } from '../pgvector.ts'
import { readScores } from '../scores.ts'
import { nearestVectors } from '../vectors/vectors.ts'
import { findByWords, type RankedCompany } from '../words/rank.ts'
import type { WeightedQuery } from './weighted-query.ts'

/** The number of candidates by words, and by vectors. */
export const CANDIDATES = 300

/**
 * Ranks the best companies by words and by vectors by both scores. Scores are sums over the texts of the query,
 * so one search finds the companies that are best by all texts together.
 * @param others companies to rank along with them, also if they are out of scope
 */
export async function rankByWeightedQuery(
  db: Db,
  query: WeightedQuery,
  scope: SearchScope,
  others: string[] = [],
): Promise<RankedCompany[]> {
  const { words, compared, vectorWeight } = query
  const [byWords, byVector] = await Promise.all([
    findByWords(db, words, scope, CANDIDATES),
    compared ? nearestVectors(db, compared.model, compared.vector, { limit: CANDIDATES, ...scope }) : [],
  ])
  const ids = [...new Set([...[...byWords, ...byVector].map(({ id }) => id), ...others])]
  return scoreCompanies(db, { words, compared, vectorWeight }, ids)
}

/** Ranks these companies. */
export async function scoreCompanies(
  db: Db,
  { words, compared, vectorWeight }: Pick<WeightedQuery, 'words' | 'compared' | 'vectorWeight'>,
  ids: string[],
): Promise<RankedCompany[]> {
  if (ids.length === 0) return []
  const scores = await readScores(db, ids, words.weights, compared)
  return fuse(scores, { vectorWeight, maxScore: words.maxScore })
}
