import type { Logger } from 'pino'
import { RateLimiterMemory } from 'rate-limiter-flexible'
import type { Config, LimitName } from '#src/platform/config/config.ts'
import type { User } from '#src/platform/identity/identity.ts'
import { clientNetwork } from '#src/platform/network/addresses.ts'
import { type Count, outcome } from './outcome.ts'
import type { SharedCounters } from './shared-counters.ts'

/** A caller's remaining requests in the current window. */
export interface Allowance {
  /** Requests per minute. */
  limit: number
  remaining: number
  /** Seconds until the window ends, at least 1. */
  reset: number
  /** When the window of the counted request ends, in milliseconds since 1970. */
  endsAt: number
  /** Whether this request exceeds the limit. */
  isExceeded: boolean
}

export interface RateLimits {
  /** Counts a request or an attempt. Returns `undefined` if there is no limit. */
  take(name: LimitName, caller: string): Promise<Allowance | undefined>
  /** Undoes the count of a request that turned out to belong to another class, unless its window has ended. */
  refund(name: LimitName, caller: string, endsAt: number): Promise<void>
  close(): void
}

const WINDOW_SECONDS = 60
/** A window that ends this soon may have ended for the limiter. */
const WINDOW_TOLERANCE_MS = 1000
const REDIS_TIMEOUT_MS = 250

/**
 * Creates rate limits with one-minute windows per class and caller, kept in this process or, with `REDIS_URL`, shared
 * by all. While Redis fails, each process keeps its own count, and one warning is logged.
 * @param redisTimeoutMs how long a request waits for Redis
 */
export async function createRateLimits(
  { rateLimits, redisUrl }: Pick<Config, 'rateLimits' | 'redisUrl'>,
  log: Logger,
  redisTimeoutMs = REDIS_TIMEOUT_MS,
): Promise<RateLimits> {
  const redis = redisUrl === undefined ? undefined : await connect(redisUrl, redisTimeoutMs, log)
  const classes = (Object.entries(rateLimits) as [LimitName, number][]).filter(([, points]) => points > 0)
  const limiters = new Map(
    classes.map(([name, points]) => {
      const options = { points, duration: WINDOW_SECONDS, keyPrefix: `deal-pipeline:rate-limit:${name}` }
      return [name, { points, local: new RateLimiterMemory(options), shared: redis?.limiter(options) }]
    }),
  )
  return {
    async take(name, caller) {
      const limiter = limiters.get(name)
      if (!limiter) return undefined
      const { points, local, shared } = limiter
      const count = shared && (await redis?.attempt(() => shared.consume(caller)))
      return allowance(points, count ?? (await outcome(local.consume(caller))))
    },
    async refund(name, caller, endsAt) {
      const limiter = limiters.get(name)
      // The limiter would start a new window with a negative count.
      if (!limiter || Date.now() > endsAt - WINDOW_TOLERANCE_MS) return
      const { local, shared } = limiter
      const count = shared && (await redis?.attempt(() => shared.reward(caller)))
      if (!count) await local.reward(caller)
    },
    close: () => redis?.close(),
  }
}

/** Loads the client of Redis, which takes a tenth of the startup time, and tries to connect. */
async function connect(url: string, timeoutMs: number, log: Logger): Promise<SharedCounters> {
  const { SharedCounters } = await import('./shared-counters.ts')
  const redis = new SharedCounters(url, timeoutMs, log)
  await redis.connected
  return redis
}

const allowance = (limit: number, { consumedPoints, msBeforeNext }: Count): Allowance => ({
  limit,
  remaining: Math.max(0, limit - consumedPoints),
  reset: Math.max(1, Math.ceil(msBeforeNext / 1000)),
  endsAt: Date.now() + msBeforeNext,
  isExceeded: consumedPoints > limit,
})

/** The key that a request is counted under: its user, else its address. */
export const callerOf = (user: Pick<User, 'email'> | null, address: string): string =>
  user ? `user:${user.email}` : `address:${clientNetwork(address)}`
