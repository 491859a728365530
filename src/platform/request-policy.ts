import { randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import cors from '@fastify/cors'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { isLoopbackHost } from './addresses.ts'
import type { Config } from './config.ts'
import { forbidden, HttpError, unauthorized } from './errors.ts'
import { type Identify, InvalidSession, SESSION_COOKIE, sessionCookie } from './identity.ts'
import { callerOf, type RateLimits } from './limits.ts'
import type { RateClass } from './shapes.ts'
import { isFromUnknownProxy, isPlainHttp, secureAddress } from './transport.ts'

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
  const headers = Object.entries(securityHeaders(config))
  return (request: FastifyRequest, reply: FastifyReply): void => {
    for (const [name, value] of headers) reply.raw.setHeader(name, value)
    reply.raw.setHeader('x-request-id', request.id)
  }
}

/** Routes under `/api` that answer without a user in production. */
const OPEN_ROUTES = new Set(['/api/auth/idp', '/api/auth/logout', '/api/auth/status'])
/** What programs on the same network ask, who need no https. */
const PROBES = new Set(['/healthz', '/readyz', '/metrics'])

interface Policy {
  config: Config
  identify: Identify
  limits: RateLimits
}

/** What holds for every request: headers, https, CORS, who is asking, how often, one line in the log. */
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
  endConnectionsWhenClosing(app)

  if (config.corsOrigins.length > 0) {
    await app.register(cors, {
      origin: [...config.corsOrigins],
      credentials: true,
      methods: ['GET', 'HEAD', 'POST', 'PATCH'],
      allowedHeaders: [
        'Authorization',
        'Content-Type',
        'Idempotency-Key',
        'If-Match',
        'X-User-Email',
        'X-Request-Id',
      ],
      exposedHeaders: ['X-Request-Id', 'Content-Disposition', 'Retry-After', ...Object.values(LIMIT_HEADERS)],
      maxAge: 600,
    })
  }

  app.decorateRequest('user', null)
  app.addHook('onRequest', async (request, reply) => {
    const { url } = request.routeOptions
    if (PROBES.has(url ?? '')) return
    if (isLimited(url ?? request.url)) reply.header('cache-control', 'no-store')
    const refusal = await identifyCaller(request, reply, { config, identify })
    await countRequest(request, reply, limits)
    if (refusal) throw refusal
  })

  app.addHook('onResponse', logRequest)
}

/** Whether a route answers without a user in production, and whatever credential comes with the request. */
export const isOpen = (route: string): boolean => OPEN_ROUTES.has(route) || !isLimited(route)

/** Whether a route counts for the rate limits and may need a user. */
export const isLimited = (route: string): boolean => /^\/(?:api|assets)(?:\/|$)/.test(route)

/**
 * Sets the request's user, where it has one. Routes are told apart by their pattern, so that no spelling of a path
 * makes a difference.
 * @returns why the request is refused, which is told only after it was counted
 */
async function identifyCaller(
  request: FastifyRequest,
  reply: FastifyReply,
  { config, identify }: Pick<Policy, 'config' | 'identify'>,
): Promise<unknown> {
  const route = request.routeOptions.url ?? request.url
  try {
    refuseForeignHost(request, config)
    refuseForeignMutation(request, config)
    request.user = await identify(request.headers).catch((error) => {
      // A browser would send a cookie that is not valid again and again, and its user could not get past it.
      if (error instanceof InvalidSession) reply.clearCookie(SESSION_COOKIE, sessionCookie(config))
      // Who has an expired session must still reach the pages, and the sign-in.
      if (isOpen(route) && error instanceof HttpError) return null
      throw error
    })
  } catch (error) {
    return error
  }
  if (config.production && !request.user && !isOpen(route))
    return unauthorized('Sign in, or send a token (Authorization: Bearer …).')
  return undefined
}

const LIMIT_HEADERS = {
  limit: 'RateLimit-Limit',
  remaining: 'RateLimit-Remaining',
  reset: 'RateLimit-Reset',
} as const

/** Unknown routes count too, or trying them out would be free. */
function rateClassOf({ routeOptions }: FastifyRequest): RateClass | undefined {
  if (routeOptions.url !== undefined && !isLimited(routeOptions.url)) return undefined
  return (routeOptions.schema as { 'x-rate-class'?: RateClass } | undefined)?.['x-rate-class'] ?? 'standard'
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
export async function countRequest(
  request: FastifyRequest,
  reply: FastifyReply,
  limits: RateLimits,
): Promise<void> {
  const rateClass = rateClassOf(request)
  if (!rateClass || request.user?.isWorker) return
  const allowance = await limits.take(rateClass, callerOf(request.user, request.ip))
  if (!allowance) return
  const { limit, reset, isExceeded } = allowance
  for (const [part, name] of Object.entries(LIMIT_HEADERS))
    reply.header(name, allowance[part as keyof typeof LIMIT_HEADERS])
  if (!isExceeded) return
  reply.header('Retry-After', reset)
  const kind = { standard: '', ai: ' of AI operations', bulk: ' of bulk actions' }[rateClass]
  throw new HttpError(429, `The limit${kind} is ${limit} requests a minute. Try again in ${reset} seconds.`)
}

/** A connection that is kept alive after the last answer would keep a process that is stopping from ending. */
function endConnectionsWhenClosing(app: FastifyInstance): void {
  let isClosing = false
  app.addHook('preClose', (done) => {
    isClosing = true
    done()
  })
  app.addHook('onSend', (_request, reply, _payload, done) => {
    if (isClosing) reply.header('connection', 'close')
    done()
  })
}

/**
 * In development nobody has to sign in, so a name that an attacker's DNS points at this machine must not work. What
 * the browser itself says is looked at: a page may add `X-Forwarded-Host`, and not change `Host`.
 */
function refuseForeignHost({ headers }: FastifyRequest, config: Config): void {
  const host = headers.host ?? ''
  if (config.production || isLoopbackHost(host.replace(/:\d+$/, ''))) return
  if (host === new URL(config.publicUrl).host) return
  throw forbidden('In development the service answers on localhost, or on the host of PUBLIC_URL.')
}

/** A page of another site must not change anything with its visitor's rights. */
function refuseForeignMutation(request: FastifyRequest, config: Config): void {
  const { origin } = request.headers
  if (!origin || SAFE_METHODS.has(request.method)) return
  const isOwn =
    origin === new URL(config.publicUrl).origin || (!config.production && origin === `http://${request.host}`)
  if (!isOwn && !config.corsOrigins.includes(origin))
    throw forbidden('The origin of this request is not one of ours; CORS_ORIGINS lists those that may write.')
}

function logRequest(request: FastifyRequest, reply: FastifyReply, done: () => void): void {
  request.log.info(
    {
      method: request.method,
      route: request.routeOptions.url,
      status: reply.statusCode,
      milliseconds: Math.round(reply.elapsedTime * 10) / 10,
      user: request.user?.email,
    },
    `${request.method} ${request.url.split('?', 1)[0]} ${reply.statusCode}`,
  )
  done()
}
