import type { Query, QueryClient, QueryKey } from '@tanstack/react-query'
import { connection } from '../connection.ts'

/** How long to wait after the last change of this tab before refetching what depends on it. */
export const QUIET_MS = 3000

type IsStale = (query: Query) => boolean

interface Waiting {
  stale: IsStale[]
  timer: ReturnType<typeof setTimeout> | undefined
}

const waiting = new WeakMap<QueryClient, Waiting>()

const startsWith = (queryKey: QueryKey, start: QueryKey): boolean =>
  start.every((part, index) => part === queryKey[index])

/**
 * Refetches what a change of this tab affects besides what it has already put on screen, such as facets, counts, and
 * activity: once, after three seconds without another change.
 * @param queryKeys the first words of the keys of the queries
 */
export function refreshWhenQuiet(queryClient: QueryClient, queryKeys: readonly QueryKey[]): void {
  refreshStaleWhenQuiet(queryClient, ({ queryKey }) => queryKeys.some((start) => startsWith(queryKey, start)))
}

/** The same, for the queries that are stale by then. */
export function refreshStaleWhenQuiet(queryClient: QueryClient, isStale: IsStale): void {
  const { stale, timer } = waiting.get(queryClient) ?? { stale: [], timer: undefined }
  clearTimeout(timer)
  waiting.set(queryClient, { stale: [...stale, isStale], timer: schedule(queryClient, QUIET_MS) })
}

const schedule = (queryClient: QueryClient, delayMs: number) =>
  setTimeout(() => refresh(queryClient), delayMs)

function refresh(queryClient: QueryClient): void {
  const now = waiting.get(queryClient)
  if (!now) return
  // A refetch would replace unsaved changes on screen with stored data. All of these changes run in scopes.
  const unsaved = queryClient.isMutating({ predicate: ({ options }) => options.scope !== undefined })
  if (unsaved > 0 || Date.now() < connection.get().retryAt) {
    now.timer = schedule(queryClient, QUIET_MS)
    return
  }
  waiting.delete(queryClient)
  queryClient.invalidateQueries({ predicate: (query) => now.stale.some((isStale) => isStale(query)) })
}
