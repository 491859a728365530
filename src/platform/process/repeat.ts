import type { Logger } from 'pino'

const MAX_BACKOFF_MS = 10_000

/**
 * Runs a task repeatedly, with a pause after each run that grows while the task fails. Each distinct failure is
 * logged once until the task succeeds, unless it is marked as `isLogged`.
 * @returns a function that stops the task and waits for the current run
 */
export function repeat(
  task: (stopped: AbortSignal) => Promise<void>,
  pause: number,
  log: Logger,
  maxBackoff = MAX_BACKOFF_MS,
): () => Promise<void> {
  const stop = new AbortController()
  let failures = 0
  let logged = ''
  let running: Promise<void> = Promise.resolve()
  const run = async () => {
    try {
      await task(stop.signal)
      if (failures > 0) log.info('background work recovered')
      failures = 0
      logged = ''
    } catch (error) {
      const { message, isLogged } = error as Error & { isLogged?: boolean }
      if (!isLogged && message !== logged && !stop.signal.aborted)
        log.warn({ err: error }, 'background work failed and will be retried')
      logged = message
      failures += 1
    }
    const wait = Math.min(maxBackoff, pause * 2 ** failures)
    if (!stop.signal.aborted) timer = setTimeout(start, failures === 0 ? pause : wait).unref()
  }
  const start = () => {
    running = run()
  }
  let timer = setTimeout(start, pause).unref()
  return async () => {
    stop.abort()
    clearTimeout(timer)
    await running
  }
}
