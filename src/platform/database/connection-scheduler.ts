import { setImmediate as nextTurn } from 'node:timers/promises'
import { yieldToEventLoop } from '#src/platform/event-loop.ts'

/** `long`: work that others need not wait for, such as imports, exports, and index builds. */
export type Urgency = 'request' | 'long'

interface Waiting {
  since: number
  start: (end: () => void) => void
}

/** Long work waits for requests no longer than this. */
const MAX_WAIT_MS = 200

/**
 * Schedules access to the embedded database: one statement or transaction at a time, requests before long work. It does
 * not wait for anything, so others are served between the turns.
 */
export class ConnectionScheduler {
  readonly #waiting: Record<Urgency, Waiting[]> = { request: [], long: [] }
  #isTaken = false
  #wasLong = false

  /** Waits for a turn. @returns what ends it */
  take(urgency: Urgency): Promise<() => void> {
    const { promise, resolve } = Promise.withResolvers<() => void>()
    this.#waiting[urgency].push({ since: performance.now(), start: resolve })
    if (!this.#isTaken) this.#grant()
    return promise
  }

  async #grant(): Promise<void> {
    this.#isTaken = true
    await yieldToEventLoop()
    const { request, long } = this.#waiting
    // The request that has just had its turn may be about to send its next statement.
    if (request.length === 0) await nextTurn()
    const isLong = request.length === 0 || this.#isOverdue(long[0])
    const next = isLong ? long.shift() : request.shift()
    this.#wasLong = isLong
    next?.start(() => this.#end())
  }

  /** Never twice in a row, or two long works would keep all requests waiting. */
  #isOverdue(long: Waiting | undefined): boolean {
    return long !== undefined && !this.#wasLong && performance.now() - long.since > MAX_WAIT_MS
  }

  #end(): void {
    this.#isTaken = false
    const { request, long } = this.#waiting
    if (request.length + long.length > 0) this.#grant()
  }
}
