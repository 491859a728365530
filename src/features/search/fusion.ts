import type { RankedCompany } from './words/rank.ts'

/** Reduces the weight of the first places. */
const K = 60

/**
 * Combines rankings by reciprocal rank fusion: a company scores the sum of 1 / (60 + place) over all rankings (Cormack,
 * Clarke and Büttcher, 2009). Scores are divided by that of a company that is first in every ranking.
 */
export function fuse(rankings: RankedCompany[][]): RankedCompany[] {
  const scores = new Map<string, number>()
  for (const ranking of rankings)
    for (const [index, { id }] of ranking.entries())
      scores.set(id, (scores.get(id) ?? 0) + (K + 1) / (K + 1 + index) / rankings.length)
  return Array.from(scores, ([id, similarity]) => ({ id, similarity })).sort(
    (a, b) => b.similarity - a.similarity || (a.id < b.id ? 1 : -1),
  )
}
