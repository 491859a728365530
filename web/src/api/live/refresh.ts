import type { Query, QueryClient } from '@tanstack/react-query'
import type { ChangeEvent, EventKind } from '#src/client/client.ts'
import { signedInEmail } from '../signed-in-user.ts'
import { distanceFrom, isAffected } from './affected-queries.ts'
import { ownActions } from './last-action.ts'
import { refreshStaleWhenQuiet } from './quiet-refresh.ts'
import { type RefreshRate, RefreshTimer } from './refresh-timer.ts'

/**
 * The limit is 600 requests per minute for all tabs of a user. Both rates together are 30 + 60 × 0.6 = 66 in the worst
 * minute, and one group more. A change by someone else costs the first rate one or two requests: 15 of them in 28 s are
 * 30 ≤ 18 + 28 × 0.4.
 */
export const FIRST_RATE: RefreshRate = { delayMs: 150, burst: 18, perSecond: 0.4 }
export const OTHERS_RATE: RefreshRate = { delayMs: 1000, burst: 12, perSecond: 0.2 }
/** A screen that shows only what is related to a change refetches this much of it at once. */
const MAX_RELATED = 2

/**
 * Refetches the queries that changes by others affect: first what a change is about, such as the record or the list on
 * screen, and then the others, such as facets and counts, which wait longer if there are many changes.
 */
export class Refresh {
  readonly #queryClient: QueryClient
  #events: ChangeEvent[] = []
  /** Data from before this time is refetched, whatever has changed. */
  #staleBefore = 0
  readonly #waiting = new Set<Query>()
  readonly #first: RefreshTimer
  readonly #others: RefreshTimer

  constructor(queryClient: QueryClient) {
    this.#queryClient = queryClient
    this.#first = new RefreshTimer(queryClient, FIRST_RATE, () => this.#refetchFirst())
    this.#others = new RefreshTimer(queryClient, OTHERS_RATE, () => this.#refetch([...this.#waiting]))
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
    if (this.#staleBefore > 0 || this.#events.length > 0) this.#first.schedule()
    if (this.#waiting.size > 0) this.#others.schedule()
  }

  stop(): void {
    this.#first.stop()
    this.#others.stop()
  }

  #refetchFirst(): number {
    const [events, staleBefore] = [this.#events, this.#staleBefore]
    this.#events = []
    this.#staleBefore = 0
    const first = new Set<Query>()
    this.#invalidate((query) => isFrom(query, staleBefore), undefined, first)
    for (const event of events) {
      const doneAt = event.action_id === null ? undefined : ownActions.get(event.action_id)
      const isStale = (query: Query) => isAffected(query.queryKey, event, signedInEmail())
      if (doneAt === undefined) this.#invalidate(isStale, event.kind, first)
      // The screen that made the change shows it.
      else
        refreshStaleWhenQuiet(
          this.#queryClient,
          (query) => isStale(query) && query.state.dataUpdatedAt < doneAt,
        )
    }
    const sent = this.#refetch([...first])
    this.schedule()
    return sent
  }

  /** Adds the active queries that are closest to a change to `first`, and the others to those that wait. */
  #invalidate(predicate: (query: Query) => boolean, kind: EventKind | undefined, first: Set<Query>): void {
    const stale = this.#queryClient.getQueryCache().findAll({ predicate })
    // Those that are not on screen are refetched when they are.
    for (const query of stale) query.invalidate()
    const active = stale.filter((query) => query.isActive())
    for (const query of closestTo(kind, active)) first.add(query)
    for (const query of active) this.#waiting.add(query)
  }

  /** Returns the number of requests. */
  #refetch(queries: readonly Query[]): number {
    const active = queries.filter((query) => query.isActive())
    for (const query of queries) this.#waiting.delete(query)
    this.#queryClient.refetchQueries({ predicate: (query) => active.includes(query) })
    return active.length
  }
}

/** The queries that show what has changed, else a few of the closest. */
function closestTo(kind: EventKind | undefined, queries: readonly Query[]): Query[] {
  const distances = queries.map(({ queryKey }) => distanceFrom(kind, queryKey))
  const closest = Math.min(...distances)
  const found = queries.filter((_query, index) => distances[index] === closest)
  return closest === 0 ? found : found.slice(0, MAX_RELATED)
}

const isFrom = (query: Query, staleBefore: number): boolean =>
  loadedAt(query) < staleBefore && query.queryKey[0] !== 'import-check'

/** When the latest response arrived, even if it was an error. */
const loadedAt = ({ state }: Query): number => Math.max(state.dataUpdatedAt, state.errorUpdatedAt)
