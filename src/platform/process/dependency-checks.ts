import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'

const CHECK_INTERVAL_MS = 60_000
const CHECK_TIMEOUT_MS = 5000
const FIRST_RESULT_TIMEOUT_MS = 1000

/** Returns the problem that an administrator has to fix, if one is known. Never waits long. */
export type DependencyCheck = () => Promise<string | undefined>

export interface Dependency {
  /** The name in messages. */
  name: string
  /** @throws an error, whose `isRefusal` means that retrying does not help */
  check(signal: AbortSignal): Promise<void>
}

/**
 * Checks a dependency in the background, at most once a minute. A refusal is reported until a check succeeds; an outage is
 * only logged. After a check has succeeded, later refusals are only logged too: they must not take all processes out of
 * service at once.
 * @param now the clock, in milliseconds
 */
export function createDependencyCheck(
  { name, check }: Dependency,
  log: Logger,
  now = () => performance.now(),
): DependencyCheck {
  let problem: string | undefined
  let loggedMessage: string | undefined
  let hasSucceeded = false
  let hasResult = false
  let lastCheckAt = Number.NEGATIVE_INFINITY
  let running: Promise<void> = Promise.resolve()

  const run = async (): Promise<void> => {
    try {
      await check(AbortSignal.timeout(CHECK_TIMEOUT_MS))
      hasSucceeded = true
      problem = undefined
      loggedMessage = undefined
    } catch (error) {
      const { message, isRefusal = false } = error as Error & { isRefusal?: boolean }
      if (isRefusal) problem = `${name}: ${message}`
      if (message !== loggedMessage) log[isRefusal ? 'error' : 'warn'](`${name}: ${message}`)
      loggedMessage = message
    }
    hasResult = true
  }

  return async () => {
    if (now() - lastCheckAt > CHECK_INTERVAL_MS) {
      lastCheckAt = now()
      running = run()
    }
    if (!hasResult) await Promise.race([running, sleep(FIRST_RESULT_TIMEOUT_MS, undefined, { ref: false })])
    return hasSucceeded ? undefined : problem
  }
}

/** Combines checks into one that returns the first problem. */
export const combineChecks =
  (...checks: DependencyCheck[]): DependencyCheck =>
  async () =>
    (await Promise.all(checks.map((check) => check()))).find(Boolean)
