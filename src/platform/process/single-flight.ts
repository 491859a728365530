/** How long to share a result, in milliseconds. */
interface Sharing {
  /** Forever by default. */
  successMs?: number
  /** Not at all by default: the next call retries. */
  failureMs?: number | ((error: unknown) => number)
}

/** Runs `work` on the first call and returns the same promise to all callers while the result is shared. */
export function singleFlight<T>(
  work: () => Promise<T>,
  { successMs = Number.POSITIVE_INFINITY, failureMs = 0 }: Sharing = {},
): () => Promise<T> {
  let result: Promise<T> | undefined
  let until = Number.POSITIVE_INFINITY
  return () => {
    if (result && Date.now() < until) return result
    until = Number.POSITIVE_INFINITY
    result = work()
    result.then(
      () => {
        until = Date.now() + successMs
      },
      (error) => {
        until = Date.now() + (typeof failureMs === 'number' ? failureMs : failureMs(error))
      },
    )
    return result
  }
}
