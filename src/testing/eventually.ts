import { setTimeout as sleep } from 'node:timers/promises'

interface Waiting {
  timeoutMs?: number
  intervalMs?: number
}

/** On a machine that is several times slower than usual. Only a test that fails waits this long. */
const TIMEOUT_MS = 120_000
const INTERVAL_MS = 20
/** The longer a check fails, the less often it is called, because it takes time from what it waits for. */
const INTERVAL_GROWTH = 1.25
const MAX_INTERVAL_MS = 100

/**
 * Calls a check until it passes, and returns its result.
 * @throws the last error of the check if it still fails after `timeoutMs`
 */
export async function eventually<T>(
  check: () => T | Promise<T>,
  { timeoutMs = TIMEOUT_MS, intervalMs = INTERVAL_MS }: Waiting = {},
): Promise<T> {
  const deadline = performance.now() + timeoutMs
  for (
    let pause = intervalMs;
    ;
    pause = Math.max(pause, Math.min(pause * INTERVAL_GROWTH, MAX_INTERVAL_MS))
  ) {
    try {
      return await check()
    } catch (error) {
      if (performance.now() >= deadline) throw error
    }
    await sleep(pause)
  }
}
