/**
 * Waits for work for a limited time. The work itself continues, and the timer does not keep the process alive.
 * @throws Error when the time is up, or the error of the work
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
