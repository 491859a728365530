import { setTimeout as sleep } from 'node:timers/promises'

interface Waiting {
  timeoutMs?: number
  intervalMs?: number
}

/** On a machine that is several times slower than usual. Only a test that fails waits this long. */
const TIMEOUT_MS = 120_000
const INTERVAL_MS = 20

/**
 * Calls a check until it passes, and returns its result.
 * @throws the last error of the check if it still fails after `timeoutMs`
 */
export async function eventually<T>(
  check: () => T | Promise<T>,
  { timeoutMs = TIMEOUT_MS, intervalMs = INTERVAL_MS }: Waiting = {},
): Promise<T> {
  const deadline = performance.now() + timeoutMs
  for (;;) {
    try {
      return await check()
    } catch (error) {
      if (performance.now() >= deadline) throw error
    }
    await sleep(intervalMs)
  }
}
