import type { Scores } from './scores.ts'
import type { RankedCompany, Shares } from './words/rank.ts'

/**
 * The deviation of the words' scores counts as at least this part of the highest possible score. Otherwise, if no company
 * has the important words of a question, one common word would decide.
 */
const MIN_WORDS_DEVIATION = 0.08

interface FusionOptions {
  /** The weight of vectors beside words, from 0 to 1. */
  vectorWeight: number
  /** The highest possible score of words. */
  maxScore: number
}

/**
 * Ranks companies by the weighted sum of two scores, of words and of vectors. Both are z-scores, so that they have the
 * same spread whatever the model. A company without a vector counts as average there. The similarity is the same sum on
 * another scale: 1 for a company with the highest possible scores.
 */
export function fuse(companies: Scores[], { vectorWeight, maxScore }: FusionOptions): RankedCompany[] {
  const words = spreadOf(companies.map((company) => company.words))
  const cosines = spreadOf(companies.flatMap(({ cosine }) => cosine ?? []))
  const wordsFactor = (1 - vectorWeight) / (Math.max(words.deviation, MIN_WORDS_DEVIATION * maxScore) || 1)
  const vectorFactor = vectorWeight / (cosines.deviation || 1)
  const max = wordsFactor * maxScore + vectorFactor || 1
  return companies
    .map((company) => {
      const byWords = (wordsFactor * company.words) / max
      const byMeaning = (vectorFactor * (company.cosine ?? 0)) / max
      const assumed = company.cosine === null ? (vectorFactor * cosines.mean) / max : byMeaning
      return {
        id: company.id,
        similarity: Math.min(1, byWords + assumed),
        shares: sharesOf(byWords, byMeaning),
      }
    })
    .sort((a, b) => b.similarity - a.similarity || (a.id < b.id ? 1 : -1))
}

function sharesOf(words: number, meaning: number): Shares {
  const total = words + meaning
  return total === 0 ? { words: 0, meaning: 0 } : { words: words / total, meaning: meaning / total }
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
