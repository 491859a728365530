import { LRUCache } from 'lru-cache'
import { TooManyRequests } from '#src/platform/errors.ts'

/** New users that one caller may create by looking up addresses. */
export const MAX_CREATIONS = 100
const PERIOD_MS = 60 * 60 * 1000
const MAX_CALLERS = 10_000

/**
 * Counts the users that each caller creates in this process.
 * @returns throws TooManyRequests when the caller has created MAX_CREATIONS users within an hour
 */
export function creationLimit(): (caller: string) => void {
  const counts = new LRUCache<string, number>({ max: MAX_CALLERS, ttl: PERIOD_MS, noUpdateTTL: true })
  return (caller) => {
    const count = counts.get(caller) ?? 0
    if (count >= MAX_CREATIONS)
      throw new TooManyRequests(
        `You have looked up ${MAX_CREATIONS} email addresses without a user within an hour. Try again later.`,
      )
    counts.set(caller, count + 1)
  }
}
