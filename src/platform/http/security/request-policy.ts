import cors from '@fastify/cors'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Config } from '#src/platform/config/config.ts'
import type { Authorize } from '#src/platform/identity/authorize.ts'
import type { CredentialUses } from '#src/platform/identity/credential-use.ts'
import type { Identify } from '#src/platform/identity/identity.ts'
import type { EndpointSchema } from '#src/platform/schema/shapes.ts'
import type { RateLimits } from '../limits/rate-limits.ts'
import { countRequest, LIMIT_HEADERS, recountRejectedBulkRequests } from '../limits/request-limits.ts'
import {
  acceptJsonWithoutContentType,
  rejectCompressedBodies,
  rejectMalformedParameters,
  rejectUnknownParameters,
} from '../request-input.ts'
import { isLimited, isOpen, PROBES } from '../routes.ts'
import { authenticate } from './authenticate.ts'
import { isAutomatic } from './automatic-requests.ts'
import { refusePlainHttp, secureAddress, warnAboutUnknownProxy } from './https.ts'
import { policyHeaders } from './security-headers.ts'

interface Policy {
  config: Config
  identify: Identify
  authorize: Authorize
  limits: RateLimits
  uses: CredentialUses
}

/** Registers what applies to every request: headers, https, CORS, authentication, permissions and rate limits. */
export async function registerRequestPolicy(
  app: FastifyInstance,
  { config, identify, authorize, limits, uses }: Policy,
): Promise<void> {
  const setHeaders = policyHeaders(config)
  const warnOnce = warnAboutUnknownProxy()
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
      methods: ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'],
      allowedHeaders: [
        ...['Authorization', 'Content-Type', 'Idempotency-Key', 'X-User-Email', 'X-Request-Id'],
        'X-Automatic-Refresh',
        ...['Range', 'If-Range', 'If-Match', 'If-None-Match', 'If-Modified-Since'],
      ],
      exposedHeaders: [
        ...[
          'X-Request-Id',
          'X-Action-Id',
          'Idempotency-Replayed',
          'Retry-After',
          ...Object.values(LIMIT_HEADERS),
        ],
        ...['Content-Disposition', 'Content-Range', 'Accept-Ranges', 'ETag', 'Last-Modified', 'Warning'],
      ],
      maxAge: 600,
      // A strict preflight would answer incomplete requests with plain text.
      strictPreflight: false,
    })
  }

  rejectUnknownParameters(app)
  rejectMalformedParameters(app)
  rejectRoutesWithoutAction(app)
  acceptJsonWithoutContentType(app)
  rejectCompressedBodies(app)
  app.decorateRequest('user', null)
  recountRejectedBulkRequests(app, limits, config)
  app.addHook('onRequest', async (request, reply) => {
    const { url } = request.routeOptions
    if (PROBES.has(url ?? '')) return
    if (isLimited(url ?? request.url)) reply.header('cache-control', 'no-store')
    const refusal = await authenticate(request, reply, { config, identify })
    await countRequest(request, reply, limits, config)
    if (refusal) throw refusal
    requirePermission(request, authorize)
    const { user, ip, headers } = request
    if (user) uses.note(user, ip, headers['user-agent'], isAutomatic(request))
  })
}

/**
 * Fails at startup for a route under `/api` or `/assets` that neither names the action it needs permission for
 * (`x-action`) nor is open to everyone (`x-open`).
 */
export function rejectRoutesWithoutAction(app: FastifyInstance): void {
  app.addHook('onRoute', ({ url, method, schema }) => {
    if (isLimited(url) && !isOpen(url, schema) && actionOf(schema) === undefined)
      throw new Error(`${method} ${url} must have x-action or x-open in its schema.`)
  })
}

/** @throws MissingPermission, or Unauthenticated without a user where roles are enforced */
export function requirePermission({ user, routeOptions }: FastifyRequest, authorize: Authorize): void {
  const action = actionOf(routeOptions.schema)
  if (action) authorize(user, action)
}

const actionOf = (schema: unknown) => (schema as Partial<EndpointSchema> | undefined)?.['x-action']
