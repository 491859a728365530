import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Config } from '#src/platform/config/config.ts'
import { Forbidden, ServiceError, Unauthenticated } from '#src/platform/errors.ts'
import { type Identify, InvalidSession, type User } from '#src/platform/identity/identity.ts'
import { SESSION_COOKIE, sessionCookie } from '#src/platform/identity/session-cookie.ts'
import { isLoopbackHost } from '#src/platform/network/addresses.ts'
import { isOpen } from '../routes.ts'
import { isAutomatic } from './automatic-requests.ts'

const SAFE_METHODS = new Set(['GET', 'HEAD', 'OPTIONS'])

/** The reason to refuse a request. */
type Refusal = Error | undefined

interface Policy {
  config: Config
  identify: Identify
}

/**
 * Sets the request's user, if any. Decides by route pattern, so the spelling of a path makes no difference.
 * @returns why to refuse the request; the caller throws it after counting the request
 */
export async function authenticate(
  request: FastifyRequest,
  reply: FastifyReply,
  { config, identify }: Policy,
): Promise<Refusal> {
  const isOpenRoute = () => isOpen(request.routeOptions.url ?? request.url, request.routeOptions.schema)
  const accept = (user: User | null): Refusal => {
    request.user = user
    if (config.enforceRoles && !user && !isOpenRoute())
      return new Unauthenticated('Sign in, or send a token (Authorization: Bearer …).')
    return undefined
  }
  const refuse = (error: Error): Refusal => {
    // A browser would keep sending an invalid cookie, and its user would be locked out.
    if (error instanceof InvalidSession) reply.clearCookie(SESSION_COOKIE, sessionCookie(config))
    // Users with an expired session must still reach the pages and the sign-in.
    return isOpenRoute() && error instanceof ServiceError ? undefined : error
  }
  const refusal = refuseForeignHost(request, config) ?? refuseForeignMutation(request, config)
  if (refusal) return refusal
  try {
    return accept(await identify(request.headers, isAutomatic(request)))
  } catch (error) {
    return refuse(error as Error)
  }
}

/**
 * Development does not require sign-in, so a host name that an attacker points at this machine must not work. Checks
 * `Host`, which a page cannot change, and not `X-Forwarded-Host`.
 */
function refuseForeignHost({ headers }: FastifyRequest, config: Config): Refusal {
  const host = headers.host ?? ''
  if (config.production || isLoopbackHost(host.replace(/:\d+$/, ''))) return undefined
  if (host === new URL(config.publicUrl).host) return undefined
  return new Forbidden('In development, the service only answers on localhost or the host of PUBLIC_URL.')
}

/** Pages of other sites must not change data with the user's session. */
function refuseForeignMutation(request: FastifyRequest, config: Config): Refusal {
  const { origin } = request.headers
  if (!origin || SAFE_METHODS.has(request.method)) return undefined
  const isOwn =
    origin === new URL(config.publicUrl).origin || (!config.production && origin === `http://${request.host}`)
  if (isOwn || config.corsOrigins.includes(origin)) return undefined
  return new Forbidden('This origin may not change data; add it to CORS_ORIGINS to allow it.')
}
