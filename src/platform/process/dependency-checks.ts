import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'

const CHECK_INTERVAL_MS = 60_000
const CHECK_TIMEOUT_MS = 5000
const FIRST_RESULT_TIMEOUT_MS = 1000

/** What somebody has to see to before the service can work, as far as that is known; it is quick to say. */
export type DependencyCheck = () => Promise<string | undefined>

/** Something that the service depends on. */
export interface Dependency {
  /** As people call it. */
  name: string
  /** @throws an error, whose `isRefusal` says that it will not get better by itself */
  check(signal: AbortSignal): Promise<void>
}

/**
 * Looks at a dependency, at most once a minute, in the background. One that is down may be right; what it has refused stays
 * told until it works. Once it has taken what is set, a later refusal is the log's business: it must not take all processes
 * out of service at once.
 * @param now tells the time, in milliseconds
 */
export function createDependencyCheck(
  { name, check }: Dependency,
  log: Logger,
  now = () => performance.now(),
): DependencyCheck {
  let fault: string | undefined
  let told: string | undefined
  let wasRight = false
  let isKnown = false
  let lookedAt = Number.NEGATIVE_INFINITY
  let looking: Promise<void> = Promise.resolve()

  const look = async (): Promise<void> => {
    try {
      await check(AbortSignal.timeout(CHECK_TIMEOUT_MS))
      wasRight = true
      fault = undefined
      told = undefined
    } catch (error) {
      const { message, isRefusal = false } = error as Error & { isRefusal?: boolean }
      if (isRefusal) fault = `${name}: ${message}`
      if (message !== told) log[isRefusal ? 'error' : 'warn'](`${name}: ${message}`)
      told = message
    }
    isKnown = true
  }

  return async () => {
    if (now() - lookedAt > CHECK_INTERVAL_MS) {
      lookedAt = now()
      looking = look()
    }
    if (!isKnown) await Promise.race([looking, sleep(FIRST_RESULT_TIMEOUT_MS, undefined, { ref: false })])
    return wasRight ? undefined : fault
  }
}

/** The first fault of several. */
export const firstFault =
  (...faults: DependencyCheck[]): DependencyCheck =>
  async () =>
    (await Promise.all(faults.map((fault) => fault()))).find(Boolean)
