import type { Scores } from './scores.ts'
import type { RankedCompany, Shares } from './words/rank.ts'

/**
 * The deviation of the words' scores counts as at least this part of the highest possible score. Otherwise, if no company
 * has the important words of a question, one common word would decide.
 */
const MIN_WORDS_DEVIATION = 0.08
/** Cosines that are almost equal must not become z-scores beyond all numbers. */
const MIN_COSINE_DEVIATION = 0.005

/**
 * How much the better of the two scores dominates: with 0, the z-scores would be added, and a company that one score alone
 * finds would be buried; with a high number, only the better one would count.
 */
const SHARPNESS = 0.7

interface FusionOptions {
  /** The weight of vectors relative to words, from 0 to 1. */
  vectorWeight: number
  /** The highest possible score of words. */
  maxScore: number
}

/**
 * Ranks companies by the soft maximum of two scores, of words and of vectors. Both are z-scores, so that they have the
 * same spread for every model. A company without a vector counts as average there. The similarity is the same maximum
 * on another scale: 0 for a company with the lowest possible scores, and 1 for one with the highest.
 */
export function fuse(companies: Scores[], { vectorWeight, maxScore }: FusionOptions): RankedCompany[] {
  const words = spreadOf(companies.map((company) => company.words))
  const cosines = spreadOf(companies.flatMap(({ cosine }) => cosine ?? []))
  const wordsDeviation = Math.max(words.deviation, MIN_WORDS_DEVIATION * maxScore) || 1
  const byWords = (score: number) =>
    (1 - vectorWeight) * Math.exp((SHARPNESS * (score - words.mean)) / wordsDeviation)
  const cosineDeviation = Math.max(cosines.deviation, MIN_COSINE_DEVIATION)
  const byMeaning = (cosine: number) =>
    vectorWeight * Math.exp((SHARPNESS * (cosine - cosines.mean)) / cosineDeviation)
  const [noWords, noMeaning] = [byWords(0), byMeaning(0)]
  const lowest = Math.log(noWords + noMeaning)
  const range = Math.log(byWords(maxScore) + byMeaning(1)) - lowest || 1
  return companies
    .map(({ id, words: score, cosine }) => {
      const fused = Math.log(byWords(score) + byMeaning(cosine ?? cosines.mean))
      return {
        id,
        similarity: Math.min(1, Math.max(0, (fused - lowest) / range)),
        shares: sharesOf(
          Math.max(0, byWords(score) - noWords),
          cosine === null ? 0 : Math.max(0, byMeaning(cosine) - noMeaning),
        ),
      }
    })
    .sort((a, b) => b.similarity - a.similarity || (a.id < b.id ? 1 : -1))
}

function sharesOf(words: number, meaning: number): Shares {
  const total = words + meaning
  return total === 0 ? { words: 0, meaning: 0 } : { words: words / total, meaning: meaning / total }
}

/** Where nothing is known about a model's cosines, a company is near if it has this part of the highest one. */
const MIN_SHARE_OF_NEAREST = 0.5

/**
 * The companies with the highest cosines.
 * @param minCosine none has less; 0 if that is unknown for the model
 */
export function nearestOf(companies: Scores[], count: number, minCosine: number): Set<string> {
  const nearest = companies
    .flatMap(({ id, cosine }) => (cosine ? [{ id, cosine }] : []))
    .sort((a, b) => b.cosine - a.cosine)
    .slice(0, count)
  const floor = minCosine || MIN_SHARE_OF_NEAREST * (nearest[0]?.cosine ?? 0)
  return new Set(nearest.filter(({ cosine }) => cosine >= floor).map(({ id }) => id))
}

/**
 * The number of results that are at least this part as similar as the best one. The others need another reason: most
 * companies share a common word with a question.
 */
export function countSupported(ranked: RankedCompany[], minShareOfBest: number): number {
  const best = ranked[0]?.similarity ?? 0
  return ranked.filter(({ similarity }) => similarity > 0 && similarity >= minShareOfBest * best).length
}

/** The mean and the standard deviation; 0 for no numbers. */
function spreadOf(numbers: number[]): { mean: number; deviation: number } {
  const mean = numbers.reduce((sum, number) => sum + number, 0) / (numbers.length || 1)
  const variance = numbers.reduce((sum, number) => sum + (number - mean) ** 2, 0) / (numbers.length || 1)
  return { mean, deviation: Math.sqrt(variance) }
}
