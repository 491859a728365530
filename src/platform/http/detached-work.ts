import type { FastifyInstance } from 'fastify'
import { Unavailable } from '#src/platform/errors.ts'
import { withTimeout } from '#src/platform/process/with-timeout.ts'
import { CLOSE_TIMEOUT_MS } from './connections.ts'

/** How long aborted work may take to record that it has ended. The process exits 10 seconds after the signal. */
const ABORT_TIMEOUT_MS = 3000
/** Aborted this long before its connections are closed, work can still be answered. */
const ANSWER_MS = 2000

/**
 * Work that continues after the clients of its requests have disconnected. When the service stops, it has almost as long as
 * a request in flight, and is then aborted.
 */
export class DetachedWork {
  readonly #running = new Map<Promise<unknown>, AbortController>()

  constructor(app: FastifyInstance, closeMs = CLOSE_TIMEOUT_MS - ANSWER_MS) {
    let abortsAt = 0
    app.addHook('preClose', (done) => {
      abortsAt = performance.now() + closeMs
      setTimeout(() => this.#abort(), closeMs).unref()
      done()
    })
    // No connection keeps the service open for this work.
    app.addHook('onClose', async () => {
      const timeoutMs = Math.max(0, abortsAt - performance.now()) + ABORT_TIMEOUT_MS
      await withTimeout(timeoutMs, this.#ended()).catch(() => {})
    })
  }

  /** Runs the work. Its signal is aborted when the service stops and can no longer wait. */
  async run<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const controller = new AbortController()
    const running = work(controller.signal)
    this.#running.set(running, controller)
    try {
      return await running
    } finally {
      this.#running.delete(running)
    }
  }

  #abort(): void {
    for (const controller of this.#running.values())
      controller.abort(new Unavailable('The service was stopped.'))
  }

  async #ended(): Promise<void> {
    while (this.#running.size > 0) await Promise.allSettled(this.#running.keys())
  }
}
