/**
 * Waits for work for a limited time. The work itself goes on, and its result is not kept alive by the timer.
 * @throws Error when the time is up, else what the work throws
 */
export async function withTimeout<T>(milliseconds: number, work: Promise<T>): Promise<T> {
  const { promise: timeout, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(() => reject(new Error(`No answer within ${milliseconds} ms.`)), milliseconds)
  timer.unref()
  try {
    return await Promise.race([work, timeout])
  } finally {
    clearTimeout(timer)
  }
}
