import { Redis } from 'ioredis'
import type { Logger } from 'pino'
import { RateLimiterRedis, RateLimiterRes } from 'rate-limiter-flexible'
import type { Config } from '#src/platform/config/config.ts'
import type { User } from '#src/platform/identity/identity.ts'
import { subscriberOf } from '#src/platform/network/addresses.ts'
import type { RateClass } from '#src/platform/schema/shapes.ts'

/** What a caller has left in this minute. */
export interface Allowance {
  /** Requests a minute. */
  limit: number
  remaining: number
  /** Seconds until all of it is free again, at least 1. */
  reset: number
  /** When the window ends in which the request was counted, in milliseconds since 1970. */
  endsAt: number
  /** Whether this request is one too many. */
  isExceeded: boolean
}

export interface RateLimits {
  /** Counts a request of this caller; `undefined` when the class has no limit. */
  take(rateClass: RateClass, caller: string): Allowance | undefined | Promise<Allowance>
  /** Takes back the count of a request that turns out to be of another class, unless its window has ended. */
  giveBack(rateClass: RateClass, caller: string, endsAt: number): void | Promise<void>
  close(): void
}

const WINDOW_SECONDS = 60
const WINDOW_MS = WINDOW_SECONDS * 1000
/** Two times this close together are the end of the same window. */
const WINDOW_TOLERANCE_MS = 1000
const REDIS_TIMEOUT_MS = 250
const REDIS_RETRY_MS = 5000

/**
 * The rate limits, each class and caller in windows of a minute: in this process, or with `REDIS_URL` shared by all.
 * While Redis fails, each process counts for itself; the log says so once.
 */
export async function createRateLimits(
  { rateLimits, redisUrl }: Pick<Config, 'rateLimits' | 'redisUrl'>,
  log: Logger,
): Promise<RateLimits> {
  const redis = redisUrl === undefined ? undefined : new SharedCounters(redisUrl, log)
  await redis?.connected
  const classes = (Object.entries(rateLimits) as [RateClass, number][]).filter(([, points]) => points > 0)
  const limiters = new Map(
    classes.map(([name, points]) => {
      const options = { points, duration: WINDOW_SECONDS, keyPrefix: `deal-pipeline:rate-limit:${name}` }
      return [name, { points, own: new OwnCounters(), shared: redis?.limiter(options) }]
    }),
  )
  return {
    take: (rateClass, caller) => {
      const limiter = limiters.get(rateClass)
      if (!limiter) return undefined
      const { points, own, shared } = limiter
      if (!redis || !shared) return allowance(points, own.consume(caller))
      return redis
        .attempt(() => outcome(shared.consume(caller)))
        .then((count) => allowance(points, count ?? own.consume(caller)))
    },
    giveBack: (rateClass, caller, endsAt) => {
      const limiter = limiters.get(rateClass)
      // Redis would begin a new window with less than nothing used.
      if (!limiter || Date.now() > endsAt - WINDOW_TOLERANCE_MS) return
      const { own, shared } = limiter
      if (!redis || !shared) return own.giveBack(caller, endsAt)
      return redis
        .attempt(() => shared.reward(caller))
        .then((count) => {
          if (!count) own.giveBack(caller, endsAt)
        })
    },
    close: () => redis?.close(),
  }
}

type Count = Pick<RateLimiterRes, 'consumedPoints' | 'msBeforeNext'>

const allowance = (limit: number, { consumedPoints, msBeforeNext }: Count): Allowance => ({
  limit,
  remaining: Math.max(0, limit - consumedPoints),
  reset: Math.max(1, Math.ceil(msBeforeNext / 1000)),
  endsAt: Date.now() + msBeforeNext,
  isExceeded: consumedPoints > limit,
})

/** Each caller's requests in this process; a window begins with its first. Counting them waits for nothing. */
class OwnCounters {
  readonly #windows = new Map<string, { count: number; endsAt: number }>()
  #sweepAt = 0

  consume(caller: string): Count {
    const now = Date.now()
    if (now >= this.#sweepAt || this.#sweepAt > now + WINDOW_MS) this.#sweep(now)
    let window = this.#windows.get(caller)
    // A window that ends later than a new one is from before the clock was set back.
    if (!window || window.endsAt <= now || window.endsAt > now + WINDOW_MS) {
      window = { count: 0, endsAt: now + WINDOW_MS }
      this.#windows.set(caller, window)
    }
    window.count += 1
    return { consumedPoints: window.count, msBeforeNext: window.endsAt - now }
  }

  giveBack(caller: string, endsAt: number): void {
    const window = this.#windows.get(caller)
    const isSame = window && Math.abs(window.endsAt - endsAt) < WINDOW_TOLERANCE_MS
    if (isSame && window.count > 0) window.count -= 1
  }

  #sweep(now: number): void {
    this.#sweepAt = now + WINDOW_MS
    for (const [caller, { endsAt }] of this.#windows)
      if (endsAt <= now || endsAt > now + WINDOW_MS) this.#windows.delete(caller)
  }
}

/** A limiter rejects with its count when the limit is passed, and with an error when it fails. */
const outcome = (count: Promise<RateLimiterRes>): Promise<RateLimiterRes> =>
  count.catch((error) => {
    if (error instanceof RateLimiterRes) return error
    throw error
  })

class SharedCounters {
  /** Settles when Redis is there, or has failed for the first time. */
  readonly connected: Promise<void>
  readonly #redis: Redis
  readonly #log: Logger
  #isDown = false
  #tryAgainAt = 0

  constructor(url: string, log: Logger) {
    this.#log = log
    this.#redis = new Redis(url, {
      enableOfflineQueue: false,
      maxRetriesPerRequest: 0,
      commandTimeout: REDIS_TIMEOUT_MS,
      connectTimeout: REDIS_RETRY_MS,
      retryStrategy: () => REDIS_RETRY_MS / 5,
    })
    this.connected = new Promise((resolve) => {
      this.#redis.on('error', (error) => {
        this.#fail(error)
        resolve()
      })
      this.#redis.on('ready', () => {
        this.#tryAgainAt = 0
        resolve()
      })
    })
  }

  limiter(options: { points: number; duration: number; keyPrefix: string }): RateLimiterRedis {
    return new RateLimiterRedis({ ...options, storeClient: this.#redis, rejectIfRedisNotReady: true })
  }

  /** The result of work with Redis; `undefined` while Redis fails, without waiting for it each time. */
  async attempt<T>(work: () => Promise<T>): Promise<T | undefined> {
    if (this.#redis.status !== 'ready' || Date.now() < this.#tryAgainAt) return undefined
    try {
      const result = await work()
      if (this.#isDown) this.#log.info('Redis answers again: rate limits are shared')
      this.#isDown = false
      return result
    } catch (error) {
      this.#fail(error as Error)
      return undefined
    }
  }

  close(): void {
    this.#redis.disconnect()
  }

  #fail(error: Error): void {
    this.#tryAgainAt = Date.now() + REDIS_RETRY_MS
    if (this.#isDown) return
    this.#isDown = true
    this.#log.warn(
      { reason: error.message },
      'Redis fails: until it answers, each process counts its rate limits for itself',
    )
  }
}

/** By what a request is counted: its user, else its address. */
export const callerOf = (user: User | null, address: string): string =>
  user ? `user:${user.email}` : `address:${subscriberOf(address)}`
