import { randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import cors from '@fastify/cors'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Config } from './config.ts'
import { forbidden, unauthorized } from './errors.ts'
import { identify, isPublicRoute } from './identity.ts'

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

/** What holds for every request: headers, CORS, who is asking, one line in the log. */
export async function registerRequestPolicy(app: FastifyInstance, config: Config): Promise<void> {
  const setHeaders = policyHeaders(config)
  app.addHook('onRequest', (request, reply, done) => {
    setHeaders(request, reply)
    done()
  })
  endConnectionsWhenClosing(app)

  if (config.corsOrigins.length > 0) {
    await app.register(cors, {
      origin: [...config.corsOrigins],
      credentials: true,
      methods: ['GET', 'HEAD', 'POST', 'PATCH'],
      allowedHeaders: ['Authorization', 'Content-Type', 'X-User-Email', 'X-Request-Id'],
      exposedHeaders: ['X-Request-Id', 'Content-Disposition'],
      maxAge: 600,
    })
  }

  app.decorateRequest('user', null)
  app.addHook('onRequest', (request, _reply, done) => {
    try {
      refuseForeignHost(request, config)
      refuseForeignMutation(request, config)
      request.user = identify(request.headers, config)
      if (config.production && !request.user && !isPublicRoute(request.routeOptions.url ?? request.url))
        throw unauthorized('Sign in to use the API.')
      done()
    } catch (error) {
      done(error as Error)
    }
  })

  app.addHook('onResponse', logRequest)
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

const LOOPBACK = new Set(['localhost', '127.0.0.1', '[::1]'])

/** In development nobody signs in, so a name that an attacker's DNS points at this machine must not work. */
function refuseForeignHost(request: FastifyRequest, config: Config): void {
  if (config.production || LOOPBACK.has(request.hostname.toLowerCase())) return
  if (request.host === new URL(config.publicUrl).host) return
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
