import type { IncomingHttpHeaders } from 'node:http'
import type { Config } from './config.ts'
import { unauthorized } from './errors.ts'
import { isEmailAddress } from './shapes.ts'

/** Who makes a request. */
export interface User {
  /** Lower case. */
  email: string
}

declare module 'fastify' {
  interface FastifyRequest {
    user: User | null
  }
}

/** The one spelling of an e-mail address by which a user is known. */
export const normalizeEmail = (email: string): string => email.trim().toLowerCase()

/**
 * Who is asking. In development the header `X-User-Email` says it; production does not look at that header.
 * @returns null when the request carries no credential
 * @throws HttpError 401 when it carries one that is not valid
 */
export function identify(headers: IncomingHttpHeaders, config: Pick<Config, 'production'>): User | null {
  const header = headers['x-user-email']
  if (config.production || header === undefined) return null
  const email = normalizeEmail(String(header))
  if (!isEmailAddress(email)) throw unauthorized('The header X-User-Email must be one e-mail address.')
  return { email }
}

/** Whether a route answers without a user in production; `route` is its pattern, so that no spelling of a path differs. */
export const isPublicRoute = (route: string): boolean => !/^\/(?:api|assets)(?:\/|$)/.test(route)
