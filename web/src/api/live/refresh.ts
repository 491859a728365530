import type { Query } from '@tanstack/react-query'
import type { ChangeEvent } from '#src/client/client.ts'
import { connection } from '../connection.ts'
import { queryClient } from '../query-client.ts'
import { signedInEmail } from '../signed-in-user.ts'
import { type Change, isAffected } from './affected-queries.ts'

/** A refresh waits until nothing has changed for this long. */
const QUIET_MS = 3000
/** While others keep changing records, the screen is refreshed this often. */
const MAX_WAIT_MS = 15_000
/** How often a refresh that must wait looks again. */
const RETRY_MS = 1000
/** Changes that take longer to save no longer hold up a refresh. */
const MAX_SAVING_MS = 30_000

/** What has changed since the last refresh, without repetitions. */
const changes = new Map<string, Change>()
/** Data from before this time is refreshed, whatever has changed. */
let staleBefore = 0
/** When the first of them arrived; undefined: nothing has changed. */
let firstAt: number | undefined
let ownChangeAt = 0
/** When notifications were last refetched without waiting. */
let notifiedAt = 0
let timer: ReturnType<typeof setTimeout> | undefined

/**
 * Refetches what a change of this tab affects besides what the tab has put on screen, such as facets, counts, and
 * activity: once, after three seconds without another change. Rows do not move while the user is working on them.
 */
export function refreshAfterOwnChange(change: Change): void {
  ownChangeAt = Date.now()
  add(change)
}

/** Refetches what changes affect after three seconds of quiet, and every 15 seconds while there is none. */
export function refreshAfterEvents(events: readonly ChangeEvent[]): void {
  const isNotified = events.some(({ kind }) => kind === 'notification') && showNotifications()
  for (const event of events) if (event.kind !== 'notification' || !isNotified) add(event)
}

/**
 * Refetches notifications without waiting for quiet, because people wait for them: unless they were just refetched, or the
 * user works on them. Then they come with the rest.
 * @returns whether it has
 */
function showNotifications(): boolean {
  const now = Date.now()
  if (now - Math.max(ownChangeAt, notifiedAt) < QUIET_MS || mustWait()) return false
  notifiedAt = now
  queryClient.invalidateQueries({ queryKey: ['notifications'] })
  return true
}

/** Refetches what was loaded before a time. */
export function refreshLoadedBefore(time: number): void {
  staleBefore = Math.max(staleBefore, time)
  schedule()
}

function add({ kind, id }: Change): void {
  changes.set(`${kind} ${id}`, { kind, id })
  schedule()
}

function schedule(): void {
  const now = Date.now()
  firstAt ??= now
  refreshIn(Math.max(ownChangeAt + QUIET_MS, Math.min(now + QUIET_MS, firstAt + MAX_WAIT_MS)) - now)
}

function refreshIn(milliseconds: number): void {
  clearTimeout(timer)
  timer = setTimeout(refresh, milliseconds)
}

function refresh(): void {
  if (mustWait()) {
    refreshIn(RETRY_MS)
    return
  }
  const [stale, time, email] = [[...changes.values()], staleBefore, signedInEmail()]
  changes.clear()
  staleBefore = 0
  firstAt = undefined
  // Those that are not on screen are refetched when they are.
  queryClient.invalidateQueries({
    predicate: (query) =>
      isOlder(query, time) || stale.some((change) => isAffected(query.queryKey, change, email)),
  })
}

/** Whether nothing must be refetched now. */
const mustWait = (): boolean => document.hidden || isSaving() || Date.now() < connection.get().retryAt

/** A refetch would replace unsaved changes on screen with stored data. All of these changes run in scopes. */
const isSaving = (): boolean =>
  queryClient.isMutating({
    predicate: ({ options, state }) =>
      options.scope !== undefined && Date.now() - state.submittedAt < MAX_SAVING_MS,
  }) > 0

/** Whether the latest response arrived before a time, even if it was an error. */
const isOlder = ({ state, queryKey }: Query, time: number): boolean =>
  Math.max(state.dataUpdatedAt, state.errorUpdatedAt) < time && queryKey[0] !== 'import-check'
