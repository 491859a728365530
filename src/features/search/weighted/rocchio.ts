/** The nonzero numbers of a vector by dimension. */
export type Numbers = ReadonlyMap<number, number>

/** The weights of the query, the liked and the disliked documents (Manning et al., 2008, section 9.1.1). */
const ALPHA = 1
const BETA = 0.75
const GAMMA = 0.15

/**
 * Moves a query toward liked documents and away from disliked ones: α·query + β·mean(liked) − γ·mean(disliked), all of
 * them of length 1 (Rocchio, 1971; the weights are those of Manning, Raghavan and Schütze, 2008, section 9.1.1).
 */
export function rocchio(query: Numbers, liked: Numbers[], disliked: Numbers[]): Map<number, number> {
  return weightedSum([
    { numbers: unit(query), weight: ALPHA },
    ...liked.map((numbers) => ({ numbers: unit(numbers), weight: BETA / liked.length })),
    ...disliked.map((numbers) => ({ numbers: unit(numbers), weight: -GAMMA / disliked.length })),
  ])
}

export function weightedSum(parts: { numbers: Numbers; weight: number }[]): Map<number, number> {
  const sum = new Map<number, number>()
  for (const { numbers, weight } of parts)
    for (const [dimension, number] of numbers) sum.set(dimension, (sum.get(dimension) ?? 0) + weight * number)
  return sum
}

/** The vector with the length 1; empty if it has no length. */
export function unit(numbers: Numbers): Map<number, number> {
  const length = Math.hypot(...numbers.values())
  return new Map(length > 0 ? Array.from(numbers, ([dimension, number]) => [dimension, number / length]) : [])
}
