import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Config, LimitName } from '#src/platform/config/config.ts'
import { TooManyRequests } from '#src/platform/errors.ts'
import type { User } from '#src/platform/identity/identity.ts'
import type { EndpointSchema, RateClass } from '#src/platform/schema/shapes.ts'
import { isLimited } from '../routes.ts'
import { type Allowance, callerOf, type RateLimits } from './rate-limits.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** When the bulk window of this request ends, in milliseconds since 1970; null if it was not counted as bulk. */
    bulkWindowEndsAt: number | null
  }
}

type Policy = Pick<Config, 'enforceRoles'>

/** Response headers with the state of the rate limit. */
export const LIMIT_HEADERS = {
  limit: 'RateLimit-Limit',
  remaining: 'RateLimit-Remaining',
  reset: 'RateLimit-Reset',
} as const

/** Unknown routes count too, so that probing for routes is limited. */
function rateClassOf(request: FastifyRequest): RateClass | undefined {
  const { url, schema } = request.routeOptions
  if (url !== undefined && !isLimited(url)) return undefined
  const { 'x-rate-class': rateClass = 'standard' } = (schema ?? {}) as Pick<EndpointSchema, 'x-rate-class'>
  return rateClass === 'none' ? undefined : rateClass
}

/** How people are identified who use the web app. Scripts have tokens and keys. */
const OF_PEOPLE = new Set<User['via']>(['session', 'gateway', 'header'])

/**
 * The limit of standard requests: one for pages of the web app, and one for programs. Pages of other sites cannot set
 * `Sec-Fetch-Site`. A program can, but only with the credential of a person.
 */
function standardLimitOf({ user, headers }: FastifyRequest, config: Policy): LimitName {
  if (headers['sec-fetch-site'] !== 'same-origin') return 'standard'
  // In development, the web app works without a user.
  const isPerson = user ? OF_PEOPLE.has(user.via) : !config.enforceRoles
  return isPerson ? 'web_app' : 'standard'
}

/**
 * Counts a request and sets the rate limit headers.
 * @throws TooManyRequests if the caller has exceeded the limit of this minute
 */
export async function countRequest(
  request: FastifyRequest,
  reply: FastifyReply,
  limits: RateLimits,
  config: Policy,
): Promise<void> {
  const rateClass = rateClassOf(request)
  if (!rateClass || request.user?.isWorker) return
  const name = rateClass === 'standard' ? standardLimitOf(request, config) : rateClass
  const allowance = await limits.take(name, callerOf(request.user, request.ip))
  if (!allowance) return
  if (rateClass === 'bulk') request.bulkWindowEndsAt = allowance.endsAt
  applyAllowance(reply, rateClass, allowance)
}

/**
 * A rejected bulk request counts as standard instead. If the standard limit is used up, it keeps counting as bulk, so
 * that rejected requests are limited too.
 */
export function recountRejectedBulkRequests(app: FastifyInstance, limits: RateLimits, config: Policy): void {
  app.decorateRequest('bulkWindowEndsAt', null)
  app.addHook('onSend', async (request, reply) => {
    const isRejected = reply.statusCode >= 400 && reply.statusCode !== 429
    if (!isRejected || rateClassOf(request) !== 'bulk' || request.user?.isWorker) return
    const caller = callerOf(request.user, request.ip)
    const { bulkWindowEndsAt } = request
    const allowance = await limits.take(standardLimitOf(request, config), caller)
    if (allowance?.isExceeded) return
    if (allowance) setLimitHeaders(reply, allowance)
    if (bulkWindowEndsAt !== null) await limits.refund('bulk', caller, bulkWindowEndsAt)
  })
}

const KINDS: Record<RateClass, string> = {
  standard: '',
  ai: ' for AI operations',
  bulk: ' for bulk actions',
  import: ' for imports',
  logo: ' for logos',
}

function applyAllowance(reply: FastifyReply, rateClass: RateClass, allowance: Allowance): void {
  setLimitHeaders(reply, allowance)
  const { limit, reset, isExceeded } = allowance
  if (!isExceeded) return
  reply.header('Retry-After', reset)
  throw new TooManyRequests(
    `The limit${KINDS[rateClass]} is ${limit} requests per minute. Try again in ${reset} seconds.`,
  )
}

/** Shows the state of a limit, in place of one that was shown before. */
export const setLimitHeaders = (reply: FastifyReply, { limit, remaining, reset }: Allowance): FastifyReply =>
  reply
    .header(LIMIT_HEADERS.limit, limit)
    .header(LIMIT_HEADERS.remaining, remaining)
    .header(LIMIT_HEADERS.reset, reset)
