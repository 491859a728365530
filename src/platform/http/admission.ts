import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Config } from '#src/platform/config/config.ts'
import { Forbidden, ServiceError, Unauthenticated } from '#src/platform/errors.ts'
import {
  type Identify,
  InvalidSession,
  SESSION_COOKIE,
  sessionCookie,
  type User,
} from '#src/platform/identity/identity.ts'
import { isLoopbackHost } from '#src/platform/network/addresses.ts'
import { isOpen } from './routes.ts'

const SAFE_METHODS = new Set(['GET', 'HEAD', 'OPTIONS'])

/** Why a request is not served. */
type Refusal = Error | undefined

interface Policy {
  config: Config
  identify: Identify
}

/**
 * Sets the request's user, where it has one. Routes are told apart by their pattern, so that no spelling of a path
 * makes a difference.
 * @returns why the request is refused, which is told only after it was counted
 */
export function identifyCaller(
  request: FastifyRequest,
  reply: FastifyReply,
  { config, identify }: Policy,
): Refusal | Promise<Refusal> {
  const isOpenRoute = () => isOpen(request.routeOptions.url ?? request.url, request.routeOptions.schema)
  const accept = (user: User | null): Refusal => {
    request.user = user
    if (config.production && !user && !isOpenRoute())
      return new Unauthenticated('Sign in, or send a token (Authorization: Bearer …).')
    return undefined
  }
  const refuse = (error: Error): Refusal => {
    // A browser would send a cookie that is not valid again and again, and its user could not get past it.
    if (error instanceof InvalidSession) reply.clearCookie(SESSION_COOKIE, sessionCookie(config))
    // Who has an expired session must still reach the pages, and the sign-in.
    return isOpenRoute() && error instanceof ServiceError ? undefined : error
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

/**
 * In development nobody has to sign in, so a name that an attacker's DNS points at this machine must not work. What
 * the browser itself says is looked at: a page may add `X-Forwarded-Host`, and not change `Host`.
 */
function refuseForeignHost({ headers }: FastifyRequest, config: Config): Refusal {
  const host = headers.host ?? ''
  if (config.production || isLoopbackHost(host.replace(/:\d+$/, ''))) return undefined
  if (host === new URL(config.publicUrl).host) return undefined
  return new Forbidden('In development the service answers on localhost, or on the host of PUBLIC_URL.')
}

/** A page of another site must not change anything with its visitor's rights. */
function refuseForeignMutation(request: FastifyRequest, config: Config): Refusal {
  const { origin } = request.headers
  if (!origin || SAFE_METHODS.has(request.method)) return undefined
  const isOwn =
    origin === new URL(config.publicUrl).origin || (!config.production && origin === `http://${request.host}`)
  if (isOwn || config.corsOrigins.includes(origin)) return undefined
  return new Forbidden(
    'The origin of this request is not one of ours; CORS_ORIGINS lists those that may write.',
  )
}
