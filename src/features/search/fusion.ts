import type { Ranked } from './words/rank.ts'

/** Softens how much the first places weigh. */
const K = 60

/**
 * One ranking of several by reciprocal rank fusion: each company scores the sum of 1 / (60 + place) (Cormack, Clarke and
 * Büttcher, 2009), here as a share of what the first of all of them would score.
 */
export function fuse(rankings: Ranked[][]): Ranked[] {
  const scores = new Map<string, number>()
  for (const ranking of rankings)
    for (const [index, { id }] of ranking.entries())
      scores.set(id, (scores.get(id) ?? 0) + (K + 1) / (K + 1 + index) / rankings.length)
  return Array.from(scores, ([id, similarity]) => ({ id, similarity })).sort(
    (a, b) => b.similarity - a.similarity || (a.id < b.id ? 1 : -1),
  )
}
