import { randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import cors from '@fastify/cors'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import type { Config } from '#src/platform/config/config.ts'
import { forbidden, HttpError, unauthorized } from '#src/platform/errors.ts'
import {
  type Identify,
  InvalidSession,
  SESSION_COOKIE,
  sessionCookie,
  type User,
} from '#src/platform/identity/identity.ts'
import { isLoopbackHost } from '#src/platform/network/addresses.ts'
import { whenKnown } from '#src/platform/process/when-known.ts'
import { type EndpointSchema, type RateClass, Strict } from '#src/platform/schema/shapes.ts'
import { isFromUnknownProxy, isPlainHttp, secureAddress } from './https.ts'
import { type Allowance, callerOf, type RateLimits } from './rate-limits.ts'

const CALLERS_REQUEST_ID = /^[A-Za-z0-9._:-]{1,128}$/
const SAFE_METHODS = new Set(['GET', 'HEAD', 'OPTIONS'])

/** The caller's `X-Request-Id` where it is harmless, else one of our own. */
export function requestId(request: IncomingMessage): string {
  const given = request.headers['x-request-id']
  return typeof given === 'string' && CALLERS_REQUEST_ID.test(given) ? given : randomUUID()
}

/** The security headers that each response carries (contract, section 5). */
export const securityHeaders = (config: Pick<Config, 'production'>): Record<string, string> => ({
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'x-xss-protection': '1; mode=block',
  'referrer-policy': 'strict-origin-when-cross-origin',
  ...(config.production ? { 'strict-transport-security': 'max-age=31536000' } : {}),
})

/** Sets the headers that every answer carries. */
export function policyHeaders(config: Pick<Config, 'production'>) {
  const headers = securityHeaders(config)
  return (request: FastifyRequest, reply: FastifyReply): void => {
    reply.headers(headers).header('x-request-id', request.id)
  }
}

/** What programs on the same network ask, who need no https. */
const PROBES = new Set(['/healthz', '/readyz', '/metrics'])

declare module 'fastify' {
  interface FastifyRequest {
    /** When the window ends in which the request has counted as bulk, in milliseconds since 1970; null: it has not. */
    bulkWindowEndsAt: number | null
  }
}

/** Why a request is not served. */
type Refusal = Error | undefined

interface Policy {
  config: Config
  identify: Identify
  limits: RateLimits
}

/** What holds for every request: headers, https, CORS, who is asking, how often. */
export async function registerRequestPolicy(
  app: FastifyInstance,
  { config, identify, limits }: Policy,
): Promise<void> {
  const setHeaders = policyHeaders(config)
  const warnOnce = warnOfUnknownProxy()
  app.addHook('onRequest', (request, reply, done) => {
    setHeaders(request, reply)
    if (!config.production) return done()
    warnOnce(request)
    const refusal = PROBES.has(request.routeOptions.url ?? '') ? undefined : refusePlainHttp(request)
    const address = refusal && secureAddress(request, config)
    if (address) return void reply.redirect(address, 308)
    done(refusal)
  })

  if (config.corsOrigins.length > 0) {
    await app.register(cors, {
      origin: [...config.corsOrigins],
      credentials: true,
      methods: ['GET', 'HEAD', 'POST', 'PATCH'],
      allowedHeaders: [
        ...['Authorization', 'Content-Type', 'Idempotency-Key', 'X-User-Email', 'X-Request-Id'],
        ...['Range', 'If-Range', 'If-Match', 'If-None-Match', 'If-Modified-Since'],
      ],
      exposedHeaders: [
        ...['X-Request-Id', 'Retry-After', ...Object.values(LIMIT_HEADERS)],
        ...['Content-Disposition', 'Content-Range', 'Accept-Ranges', 'ETag', 'Last-Modified', 'Warning'],
      ],
      maxAge: 600,
      // Its answer to an incomplete preflight would be text.
      strictPreflight: false,
    })
  }

  refuseUnknownParameters(app)
  takeUnnamedBodiesAsJson(app)
  app.decorateRequest('user', null)
  recountRefusedBulkRequests(app, limits)
  app.addHook('onRequest', (request, reply, done) => {
    const { url } = request.routeOptions
    if (PROBES.has(url ?? '')) return done()
    if (isLimited(url ?? request.url)) reply.header('cache-control', 'no-store')
    const admitted = whenKnown(identifyCaller(request, reply, { config, identify }), (refusal) =>
      whenKnown(countRequest(request, reply, limits), () => {
        if (refusal) throw refusal
      }),
    )
    if (!admitted) done()
    return admitted
  })
}

/** A mistyped parameter must not be passed over, whether a route has parameters or not. */
function refuseUnknownParameters(app: FastifyInstance): void {
  app.addHook('onRoute', (route) => {
    if (isLimited(route.url)) route.schema = { querystring: NO_PARAMETERS, ...route.schema }
  })
}

const NO_PARAMETERS = Strict(Type.Object({}))

/** A body without a `Content-Type` is JSON, unless the route takes files. */
function takeUnnamedBodiesAsJson(app: FastifyInstance): void {
  app.addHook('onRequest', ({ raw: { headers }, routeOptions }, _reply, done) => {
    const hasBody = headers['transfer-encoding'] !== undefined || Number(headers['content-length']) > 0
    const { consumes } = (routeOptions.schema ?? {}) as EndpointSchema
    if (hasBody && !headers['content-type'] && !consumes) headers['content-type'] = 'application/json'
    done()
  })
}

const API = '/api/'

/** The address without slashes at the end of a path of the API. No pattern: on many slashes one takes seconds. */
export function withoutTrailingSlash(url: string): string {
  if (!url.startsWith(API)) return url
  const query = url.indexOf('?')
  const end = query === -1 ? url.length : query
  let last = end
  while (last > API.length && url[last - 1] === '/') last--
  return url.slice(0, last) + url.slice(end)
}

/** Whether a route answers without a user in production, and whatever credential comes with the request. */
export const isOpen = (route: string, schema: unknown): boolean =>
  !isLimited(route) || (schema as EndpointSchema | undefined)?.['x-open'] === true

/** Whether a route counts for the rate limits and may need a user. */
export const isLimited = (route: string): boolean => /^\/(?:api|assets)(?:\/|$)/.test(route)

/**
 * Sets the request's user, where it has one. Routes are told apart by their pattern, so that no spelling of a path
 * makes a difference.
 * @returns why the request is refused, which is told only after it was counted
 */
function identifyCaller(
  request: FastifyRequest,
  reply: FastifyReply,
  { config, identify }: Pick<Policy, 'config' | 'identify'>,
): Refusal | Promise<Refusal> {
  const isOpenRoute = () => isOpen(request.routeOptions.url ?? request.url, request.routeOptions.schema)
  const accept = (user: User | null): Refusal => {
    request.user = user
    if (config.production && !user && !isOpenRoute())
      return unauthorized('Sign in, or send a token (Authorization: Bearer …).')
    return undefined
  }
  const refuse = (error: Error): Refusal => {
    // A browser would send a cookie that is not valid again and again, and its user could not get past it.
    if (error instanceof InvalidSession) reply.clearCookie(SESSION_COOKIE, sessionCookie(config))
    // Who has an expired session must still reach the pages, and the sign-in.
    return isOpenRoute() && error instanceof HttpError ? undefined : error
  }
  const foreign = refuseForeignHost(request, config) ?? refuseForeignMutation(request, config)
  if (foreign) return foreign
  try {
    const user = identify(request.headers)
    return user instanceof Promise ? user.then(accept, refuse) : accept(user)
  } catch (error) {
    return refuse(error as Error)
  }
}

const LIMIT_HEADERS = {
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

/** The error for a request that came over plain HTTP. */
export const refusePlainHttp = (request: FastifyRequest): HttpError | undefined =>
  isPlainHttp(request)
    ? forbidden(
        'This service answers over https only. Is the proxy before it named by TRUST_PROXY, and does it send X-Forwarded-Proto?',
      )
    : undefined

/** Without `TRUST_PROXY` all who come through a proxy have the proxy's address, and one rate limit. */
function warnOfUnknownProxy() {
  let isTold = false
  return (request: FastifyRequest): void => {
    if (isTold || !isFromUnknownProxy(request)) return
    isTold = true
    request.log.warn(
      { proxy: request.socket.remoteAddress },
      'X-Forwarded-For came from an address that TRUST_PROXY does not name: it is not believed',
    )
  }
}

/** @throws HttpError 429 when the caller has used up the limit of this minute */
export function countRequest(
  request: FastifyRequest,
  reply: FastifyReply,
  limits: RateLimits,
): void | Promise<void> {
  const rateClass = rateClassOf(request)
  if (!rateClass || request.user?.isWorker) return
  return whenKnown(limits.take(rateClass, callerOf(request.user, request.ip)), (allowance) => {
    if (allowance && rateClass === 'bulk') request.bulkWindowEndsAt = allowance.endsAt
    if (allowance) tellAllowance(reply, rateClass, allowance)
  })
}

/**
 * A request of the class bulk that was refused counts as standard instead; while that class has nothing left it goes on
 * counting as bulk, so that refusals are limited too.
 */
function recountRefusedBulkRequests(app: FastifyInstance, limits: RateLimits): void {
  app.decorateRequest('bulkWindowEndsAt', null)
  app.addHook('onSend', (request, reply, payload, done) => {
    const isRefused = reply.statusCode >= 400 && reply.statusCode !== 429
    if (!isRefused || rateClassOf(request) !== 'bulk' || request.user?.isWorker) return done(null, payload)
    const caller = callerOf(request.user, request.ip)
    const { bulkWindowEndsAt } = request
    const recounted = whenKnown(limits.take('standard', caller), (allowance) => {
      if (allowance?.isExceeded) return
      if (allowance) sendAllowance(reply, allowance)
      return bulkWindowEndsAt === null ? undefined : limits.giveBack('bulk', caller, bulkWindowEndsAt)
    })
    if (recounted instanceof Promise) recounted.then(() => done(null, payload), done)
    else done(null, payload)
  })
}

function tellAllowance(reply: FastifyReply, rateClass: RateClass, allowance: Allowance): void {
  sendAllowance(reply, allowance)
  const { limit, reset, isExceeded } = allowance
  if (!isExceeded) return
  reply.header('Retry-After', reset)
  const kind = { standard: '', ai: ' of AI operations', bulk: ' of bulk actions' }[rateClass]
  throw new HttpError(429, `The limit${kind} is ${limit} requests a minute. Try again in ${reset} seconds.`)
}

const sendAllowance = (reply: FastifyReply, { limit, remaining, reset }: Allowance): FastifyReply =>
  reply
    .header(LIMIT_HEADERS.limit, limit)
    .header(LIMIT_HEADERS.remaining, remaining)
    .header(LIMIT_HEADERS.reset, reset)

/**
 * In development nobody has to sign in, so a name that an attacker's DNS points at this machine must not work. What
 * the browser itself says is looked at: a page may add `X-Forwarded-Host`, and not change `Host`.
 */
function refuseForeignHost({ headers }: FastifyRequest, config: Config): Refusal {
  const host = headers.host ?? ''
  if (config.production || isLoopbackHost(host.replace(/:\d+$/, ''))) return undefined
  if (host === new URL(config.publicUrl).host) return undefined
  return forbidden('In development the service answers on localhost, or on the host of PUBLIC_URL.')
}

/** A page of another site must not change anything with its visitor's rights. */
function refuseForeignMutation(request: FastifyRequest, config: Config): Refusal {
  const { origin } = request.headers
  if (!origin || SAFE_METHODS.has(request.method)) return undefined
  const isOwn =
    origin === new URL(config.publicUrl).origin || (!config.production && origin === `http://${request.host}`)
  if (isOwn || config.corsOrigins.includes(origin)) return undefined
  return forbidden('The origin of this request is not one of ours; CORS_ORIGINS lists those that may write.')
}

/** Writes a request's line into the log. */
export function logRequest(request: FastifyRequest, reply: FastifyReply, isWhole: boolean): void {
  const { method, url } = request
  const status = isWhole || reply.raw.headersSent ? reply.statusCode : undefined
  request.log.info(
    {
      method,
      route: request.routeOptions.url,
      status,
      milliseconds: Math.round(reply.elapsedTime * 10) / 10,
      user: request.user?.email,
    },
    `${method} ${url.split('?', 1)[0]}${status ? ` ${status}` : ''}${isWhole ? '' : ', cut off'}`,
  )
}
