import type { FastifyBaseLogger, FastifyRequest } from 'fastify'
import { causesOf } from '#src/platform/process/logging.ts'

const INTERVAL_MS = 1000

/** How many requests were rejected for a reason since its last line, by the application's log. */
const outages = new WeakMap<FastifyBaseLogger, Map<string, number>>()
const counted = new WeakSet<FastifyRequest>()

/**
 * Logs that a dependency is down: the first rejected request at once, and then a line per second with the number of
 * others. A stack for each would fill the disk while the database is down.
 * @param details what the caller was answered
 */
export function logOutage(error: Error, details: string, request: FastifyRequest): void {
  const { log } = request.server
  const counts = outages.get(log) ?? new Map<string, number>()
  outages.set(log, counts)
  const count = counts.get(details)
  if (count !== undefined) {
    counted.add(request)
    counts.set(details, count + 1)
    return
  }
  counts.set(details, 0)
  request.log.warn({ causes: causesOf(error) }, details)
  const report = () => {
    const rejected = counts.get(details)
    if (!rejected) return void counts.delete(details)
    counts.set(details, 0)
    log.warn({ rejected }, `${details} Rejected in the last second: ${rejected} requests.`)
    setTimeout(report, INTERVAL_MS).unref()
  }
  setTimeout(report, INTERVAL_MS).unref()
}

/** Whether the request has no line of its own, because `logOutage` has counted it. */
export const isCounted = (request: FastifyRequest): boolean => counted.has(request)
