import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { TooManyRequests } from '#src/platform/errors.ts'
import { chain } from '#src/platform/process/chain.ts'
import type { EndpointSchema, RateClass } from '#src/platform/schema/shapes.ts'
import { type Allowance, callerOf, type RateLimits } from './rate-limits.ts'
import { isLimited } from './routes.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** When the window ends in which the request has counted as bulk, in milliseconds since 1970; null: it has not. */
    bulkWindowEndsAt: number | null
  }
}

/** The headers that say what is left of a limit. */
export const LIMIT_HEADERS = {
  limit: 'RateLimit-Limit',
  remaining: 'RateLimit-Remaining',
  reset: 'RateLimit-Reset',
} as const

/** Unknown routes count too, or trying them out would be free. */
function rateClassOf(request: FastifyRequest): RateClass | undefined {
  const { url, schema } = request.routeOptions
  if (url !== undefined && !isLimited(url)) return undefined
  const { 'x-rate-class': rateClass = 'standard' } = (schema ?? {}) as Pick<EndpointSchema, 'x-rate-class'>
  return rateClass === 'none' ? undefined : rateClass
}

/** @throws TooManyRequests when the caller has used up the limit of this minute */
export function countRequest(
  request: FastifyRequest,
  reply: FastifyReply,
  limits: RateLimits,
): void | Promise<void> {
  const rateClass = rateClassOf(request)
  if (!rateClass || request.user?.isWorker) return
  return chain(limits.take(rateClass, callerOf(request.user, request.ip)), (allowance) => {
    if (allowance && rateClass === 'bulk') request.bulkWindowEndsAt = allowance.endsAt
    if (allowance) setLimitHeaders(reply, rateClass, allowance)
  })
}

/**
 * A request of the class bulk that was refused counts as standard instead; while that class has nothing left it goes on
 * counting as bulk, so that refusals are limited too.
 */
export function recountRefusedBulkRequests(app: FastifyInstance, limits: RateLimits): void {
  app.decorateRequest('bulkWindowEndsAt', null)
  app.addHook('onSend', (request, reply, payload, done) => {
    const isRefused = reply.statusCode >= 400 && reply.statusCode !== 429
    if (!isRefused || rateClassOf(request) !== 'bulk' || request.user?.isWorker) return done(null, payload)
    const caller = callerOf(request.user, request.ip)
    const { bulkWindowEndsAt } = request
    const recounted = chain(limits.take('standard', caller), (allowance) => {
      if (allowance?.isExceeded) return
      if (allowance) sendAllowance(reply, allowance)
      return bulkWindowEndsAt === null ? undefined : limits.giveBack('bulk', caller, bulkWindowEndsAt)
    })
    if (recounted instanceof Promise) recounted.then(() => done(null, payload), done)
    else done(null, payload)
  })
}

function setLimitHeaders(reply: FastifyReply, rateClass: RateClass, allowance: Allowance): void {
  sendAllowance(reply, allowance)
  const { limit, reset, isExceeded } = allowance
  if (!isExceeded) return
  reply.header('Retry-After', reset)
  const kind = { standard: '', ai: ' of AI operations', bulk: ' of bulk actions', import: ' of imports' }[
    rateClass
  ]
  throw new TooManyRequests(`The limit${kind} is ${limit} requests a minute. Try again in ${reset} seconds.`)
}

const sendAllowance = (reply: FastifyReply, { limit, remaining, reset }: Allowance): FastifyReply =>
  reply
    .header(LIMIT_HEADERS.limit, limit)
    .header(LIMIT_HEADERS.remaining, remaining)
    .header(LIMIT_HEADERS.reset, reset)
