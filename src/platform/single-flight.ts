/**
 * Creates a function that runs tasks by key. While a task runs, calls with the same key return its promise instead of
 * starting another run. Nothing is kept afterward.
 */
export function singleFlight<T>(): (key: string, task: () => Promise<T>) => Promise<T> {
  const pending = new Map<string, Promise<T>>()
  return (key, task) => {
    const running = pending.get(key)
    if (running) return running
    const started = task().finally(() => pending.delete(key))
    pending.set(key, started)
    return started
  }
}

/** How long to keep a result, in milliseconds. */
interface Retention {
  /** Forever by default. */
  successMs?: number
  /** Not at all by default: the next call retries. */
  failureMs?: number | ((error: unknown) => number)
}

/** Runs `work` on the first call and returns the same promise to all callers until the result expires. */
export function memoize<T>(
  work: () => Promise<T>,
  { successMs = Number.POSITIVE_INFINITY, failureMs = 0 }: Retention = {},
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
