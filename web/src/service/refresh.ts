import type { Query, QueryClient } from '@tanstack/react-query'
import type { ChangeEvent } from '#src/client/client.ts'
import { isAffected } from './affected-queries.ts'
import { unsavedChanges } from './change-queue.ts'
import { connection } from './connection.ts'
import { ownActions } from './last-action.ts'
import { signedInEmail } from './signed-in-user.ts'

/** Changes that follow each other closely are one refresh. */
const BATCH_MS = 150
const MIN_INTERVAL_MS = 1000
/** A change that is being saved must not be replaced with what was stored before. */
const MAX_WAIT_FOR_SAVING_MS = 2000
/** A queue of changes may take longer, as long as it moves on. */
const MAX_WAIT_FOR_QUEUE_MS = 10_000
/** The limit is 100 requests per minute for all tabs of a user, so a bulk action must not refetch at each step. */
const MAX_BURST = 30
const REQUESTS_PER_SECOND = 0.6

/** Refetches the queries that changes affect: at once for a few, at intervals while there are many. */
export class Refresh {
  readonly #queryClient: QueryClient
  #events: ChangeEvent[] = []
  /** Data from before this time is refetched, whatever has changed. */
  #staleBefore = 0
  #timer: ReturnType<typeof setTimeout> | undefined
  #waitingSince = 0
  /** The first change of the queue, and when it was first seen there. */
  #queued = { id: -1, since: 0 }
  #allowance = MAX_BURST
  #refreshedAt = Date.now()

  constructor(queryClient: QueryClient) {
    this.#queryClient = queryClient
  }

  /** Refetches what these changes affect. */
  add(events: ChangeEvent[]): void {
    if (events.length === 0) return
    this.#events.push(...events)
    this.schedule()
  }

  /** Refetches everything on screen. */
  all(): void {
    this.loadedBefore(Number.POSITIVE_INFINITY)
  }

  /** Refetches what is on screen and was loaded before a time. */
  loadedBefore(time: number): void {
    this.#staleBefore = Math.max(this.#staleBefore, time)
    this.schedule()
  }

  /** Refreshes soon, if anything has changed and the tab is visible. */
  schedule(): void {
    if (this.#timer || document.hidden || (this.#staleBefore === 0 && this.#events.length === 0)) return
    this.#waitingSince = Date.now()
    this.#wait(Math.max(BATCH_MS, this.#refreshedAt + MIN_INTERVAL_MS - Date.now(), this.#untilAllowed()))
  }

  stop(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
  }

  #wait(milliseconds: number): void {
    this.#timer = setTimeout(() => {
      if (this.#isSaving()) return this.#wait(BATCH_MS)
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

  /** The time until the next refresh is allowed. */
  #untilAllowed(): number {
    const now = Date.now()
    const gained = ((now - this.#refreshedAt) / 1000) * REQUESTS_PER_SECOND
    const missing = -Math.min(MAX_BURST, this.#allowance + gained)
    return Math.max(connection.get().retryAt - now, (missing / REQUESTS_PER_SECOND) * 1000)
  }

  #refresh(): void {
    const [events, staleBefore] = [this.#events, this.#staleBefore]
    this.#events = []
    this.#staleBefore = 0
    const gained = ((Date.now() - this.#refreshedAt) / 1000) * REQUESTS_PER_SECOND
    this.#allowance = Math.min(MAX_BURST, this.#allowance + gained)
    this.#refreshedAt = Date.now()
    const predicate = (query: Query) =>
      (loadedAt(query) < staleBefore && query.queryKey[0] !== 'import-check') ||
      events.some((event) => isStale(query, event))
    this.#allowance -= this.#queryClient.getQueryCache().findAll({ predicate, type: 'active' }).length
    this.#queryClient.invalidateQueries({ predicate })
  }
}

/** When the latest response arrived, even if it was an error. */
const loadedAt = ({ state }: Query): number => Math.max(state.dataUpdatedAt, state.errorUpdatedAt)

/** The screen that made a change has refetched what it shows. */
function isStale({ queryKey, state }: Query, event: ChangeEvent): boolean {
  if (!isAffected(queryKey, event, signedInEmail())) return false
  const doneAt = event.action_id === null ? undefined : ownActions.get(event.action_id)
  return doneAt === undefined || (state.fetchStatus === 'idle' && state.dataUpdatedAt < doneAt)
}
