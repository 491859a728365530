/** Scales a vector to length 1, so that the inner product is the cosine. A vector of zeros stays as it is. */
export function unitVector(numbers: ArrayLike<number>): number[] {
  const all = Array.from(numbers)
  const length = Math.hypot(...all) || 1
  return all.map((number) => number / length)
}
