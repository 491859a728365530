import { createRandom } from '#src/cli/demo/random.ts'

const RESAMPLES = 1000

/** A figure with its 95 % bootstrap interval. */
export interface Estimate {
  value: number
  low: number
  high: number
}

export interface Figures {
  mrr: Estimate
  first: Estimate
  ten: Estimate
}

/**
 * The mean reciprocal rank within the first ten results, recall@1 and recall@10.
 * @param positions of the answer to each question, from 1; 0 if it is not among the first ten
 */
export const figuresOf = (positions: number[]): Figures => ({
  mrr: estimate(positions.map((position) => (position > 0 ? 1 / position : 0))),
  first: estimate(positions.map((position) => (position === 1 ? 1 : 0))),
  ten: estimate(positions.map((position) => (position > 0 ? 1 : 0))),
})

/** The mean of the numbers. Its interval comes from samples that are drawn from them with replacement. */
export function estimate(numbers: number[]): Estimate {
  const next = createRandom(1)
  const mean = (draw: (index: number) => number) =>
    numbers.reduce((sum, _number, index) => sum + draw(index), 0) / numbers.length
  const means = Array.from({ length: RESAMPLES }, () =>
    mean(() => numbers[Math.floor(next() * numbers.length)] ?? 0),
  ).sort((a, b) => a - b)
  return {
    value: mean((index) => numbers[index] ?? 0),
    low: means[Math.floor(RESAMPLES * 0.025)] ?? 0,
    high: means[Math.floor(RESAMPLES * 0.975)] ?? 0,
  }
}

export const TABLE_HEAD = '| search | MRR@10 | recall@1 | recall@10 |\n|---|---:|---:|---:|'

export const tableRow = (name: string, { mrr, first, ten }: Figures): string =>
  `| ${[name, ...[mrr, first, ten].map(formatEstimate)].join(' | ')} |`

/** An estimate with its interval. */
export const formatEstimate = ({ value, low, high }: Estimate): string =>
  `${value.toFixed(3)} (${low.toFixed(3)}–${high.toFixed(3)})`
