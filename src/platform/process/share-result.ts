/** How long a result is shared, in milliseconds. */
interface Sharing {
  /** Forever by default. */
  successMs?: number
  /** By default not at all: the next call tries again. */
  failureMs?: number | ((error: unknown) => number)
}

/** Runs `work` at the first call and gives its promise to everyone who calls while the result is shared. */
export function shareResult<T>(
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
