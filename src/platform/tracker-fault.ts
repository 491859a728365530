import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'
import type { Tracker } from './tracker.ts'
import { TrackerFailure } from './trackers/issue.ts'

const LOOK_EVERY_MS = 60_000
const PATIENCE_MS = 5000
const LONGEST_WAIT_MS = 1000

/** What somebody has to see to before the tracker takes anything, as far as that is known; it is quick to say. */
export type TrackerFault = () => Promise<string | undefined>

/**
 * Looks at the tracker, at most once a minute, in the background. While it is down nothing is known to be wrong. Once it
 * has taken the token, a later refusal is the log's business: it must not take all processes out of service at once.
 */
export function createTrackerFault(tracker: Pick<Tracker, 'check'>, log: Logger): TrackerFault {
  let fault: string | undefined
  let wasRight = false
  let isKnown = false
  let lookedAt = Number.NEGATIVE_INFINITY
  let looking: Promise<void> = Promise.resolve()

  const look = async (): Promise<void> => {
    try {
      await tracker.check(AbortSignal.timeout(PATIENCE_MS))
      wasRight = true
      fault = undefined
    } catch (error) {
      if (error instanceof TrackerFailure && error.isRefusal) {
        if (error.message !== fault) log.error(error.message)
        fault = error.message
      }
    }
    isKnown = true
  }

  return async () => {
    if (performance.now() - lookedAt > LOOK_EVERY_MS) {
      lookedAt = performance.now()
      looking = look()
    }
    if (!isKnown) await Promise.race([looking, sleep(LONGEST_WAIT_MS, undefined, { ref: false })])
    return wasRight ? undefined : fault
  }
}
