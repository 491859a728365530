import { RateLimiterRes } from 'rate-limiter-flexible'

export type Count = Pick<RateLimiterRes, 'consumedPoints' | 'msBeforeNext'>

/** A limiter rejects with its count if the limit is exceeded, and with an error if it fails. */
export const outcome = (count: Promise<RateLimiterRes>): Promise<RateLimiterRes> =>
  count.catch((error) => {
    if (error instanceof RateLimiterRes) return error
    throw error
  })
