import type { QueryClient } from '@tanstack/react-query'
import { connection } from '../connection.ts'
import { unsavedChanges } from './change-queue.ts'

const MIN_INTERVAL_MS = 1000
/** How often a due refresh checks whether changes are still being saved. */
const SAVING_INTERVAL_MS = 150
/** How long a refresh waits for a change that is being saved, which stored data must not overwrite. */
const MAX_WAIT_FOR_SAVING_MS = 2000
/** How long it waits for each change of a queue. */
const MAX_WAIT_FOR_QUEUE_MS = 10_000

export interface RefreshRate {
  /** Changes within this time share one refresh. */
  delayMs: number
  /** The number of requests that may be sent at once; after that, `perSecond` applies. */
  burst: number
  perSecond: number
}

/** Runs refreshes at a rate, while the tab is visible and no change is being saved. */
export class RefreshTimer {
  readonly #queryClient: QueryClient
  readonly #rate: RefreshRate
  readonly #run: () => number
  #timer: ReturnType<typeof setTimeout> | undefined
  #waitingSince = 0
  /** The first change of the queue, and when it was first seen there. */
  #queued = { id: -1, since: 0 }
  /** The requests that may be sent. The last refresh may have sent more. */
  #allowance: number
  #refreshedAt = Date.now()

  /** @param run refreshes, and returns the number of requests */
  constructor(queryClient: QueryClient, rate: RefreshRate, run: () => number) {
    this.#queryClient = queryClient
    this.#rate = rate
    this.#run = run
    this.#allowance = rate.burst
  }

  schedule(): void {
    if (this.#timer || document.hidden) return
    const now = Date.now()
    this.#waitingSince = now
    const allowedIn = (-this.#allowanceAt(now) / this.#rate.perSecond) * 1000
    const earliest = Math.max(this.#refreshedAt + MIN_INTERVAL_MS, connection.get().retryAt) - now
    this.#wait(Math.max(this.#rate.delayMs, earliest, allowedIn))
  }

  stop(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
  }

  #wait(milliseconds: number): void {
    this.#timer = setTimeout(() => {
      if (this.#isSaving()) return this.#wait(SAVING_INTERVAL_MS)
      this.#timer = undefined
      if (!document.hidden) this.#refresh()
    }, milliseconds)
  }

  #isSaving(): boolean {
    const [first] = this.#queryClient.getMutationCache().findAll(unsavedChanges)
    if (first) {
      if (first.mutationId !== this.#queued.id) this.#queued = { id: first.mutationId, since: Date.now() }
      const { retryAt } = connection.get()
      return Date.now() - Math.max(this.#queued.since, retryAt) < MAX_WAIT_FOR_QUEUE_MS
    }
    return this.#queryClient.isMutating() > 0 && Date.now() - this.#waitingSince < MAX_WAIT_FOR_SAVING_MS
  }

  #allowanceAt(now: number): number {
    const gained = ((now - this.#refreshedAt) / 1000) * this.#rate.perSecond
    return Math.min(this.#rate.burst, this.#allowance + gained)
  }

  #refresh(): void {
    const now = Date.now()
    this.#allowance = this.#allowanceAt(now)
    this.#refreshedAt = now
    this.#allowance -= this.#run()
  }
}
