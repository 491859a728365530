import { Redis } from 'ioredis'
import type { Logger } from 'pino'
import { RateLimiterRedis } from 'rate-limiter-flexible'
import { type Count, outcome } from './outcome.ts'

const REDIS_RETRY_INTERVAL_MS = 5000

/** Counts the requests of one class. */
export interface SharedLimiter {
  consume(caller: string): Promise<Count>
  reward(caller: string): Promise<Count>
}

/** Counts requests in Redis, which several processes share. */
export class SharedCounters {
  /** Settles when Redis is ready or has failed for the first time. */
  readonly connected: Promise<void>
  readonly #redis: Redis
  readonly #log: Logger
  #isDown = false
  #retryAt = 0

  constructor(url: string, timeoutMs: number, log: Logger) {
    this.#log = log
    this.#redis = new Redis(url, {
      enableOfflineQueue: false,
      maxRetriesPerRequest: 0,
      commandTimeout: timeoutMs,
      connectTimeout: REDIS_RETRY_INTERVAL_MS,
      retryStrategy: () => REDIS_RETRY_INTERVAL_MS / 5,
    })
    this.connected = new Promise((resolve) => {
      this.#redis.on('error', (error) => {
        this.#fail(error)
        resolve()
      })
      this.#redis.on('ready', () => {
        this.#retryAt = 0
        resolve()
      })
    })
  }

  limiter(options: { points: number; duration: number; keyPrefix: string }): SharedLimiter {
    const limiter = new RateLimiterRedis({
      ...options,
      storeClient: this.#redis,
      rejectIfRedisNotReady: true,
    })
    return {
      consume: (caller) => outcome(limiter.consume(caller)),
      reward: (caller) => limiter.reward(caller),
    }
  }

  /** Runs work on Redis. Returns `undefined` while Redis fails, without waiting for it each time. */
  async attempt<T>(work: () => Promise<T>): Promise<T | undefined> {
    if (this.#redis.status !== 'ready' || Date.now() < this.#retryAt) return undefined
    try {
      const result = await work()
      if (this.#isDown) this.#log.info('Redis is back: rate limits are shared again')
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
    this.#retryAt = Date.now() + REDIS_RETRY_INTERVAL_MS
    if (this.#isDown) return
    this.#isDown = true
    this.#log.warn(
      { reason: error.message },
      'Redis is unavailable: each process enforces rate limits separately',
    )
  }
}
