import type { IncomingHttpHeaders } from 'node:http'
import type { Config } from '#src/platform/config/config.ts'
import { Forbidden, type ServiceError, Unauthenticated } from '#src/platform/errors.ts'
import { isEmailAddress } from '#src/platform/schema/shapes.ts'
import { isAllowed } from './allowlist.ts'
import type { Gateway } from './gateway.ts'
import { InvalidToken, type Sessions } from './session.ts'
import { readSessionCookies, SESSION_COOKIE } from './session-cookie.ts'
import { WORKER_EMAIL } from './worker-token.ts'

/** The caller of a request. */
export interface User {
  /** In lower case. */
  email: string
  via: 'session' | 'token' | 'gateway' | 'header'
  name?: string | undefined
  /** A URL. */
  picture?: string | undefined
  /** Unix seconds; absent for the development header. */
  expires?: number
  /** Whether the caller is the AI worker, with a token signed by this service. */
  isWorker: boolean
}

declare module 'fastify' {
  interface FastifyRequest {
    user: User | null
  }
}

/** The session cookie is expired or invalid. */
export class InvalidSession extends Unauthenticated {
  constructor(details: string, options?: ErrorOptions) {
    super(`${details} Sign in again.`, options)
  }
}

/** The canonical spelling of an email address. */
export const normalizeEmail = (email: string): string => email.trim().toLowerCase()

interface Parts {
  config: Pick<Config, 'production' | 'authentication'>
  sessions: Sessions
  gateway: Gateway | undefined
}

/** @throws Unauthenticated for an invalid credential, Forbidden for a user who may not sign in */
export type Identify = (headers: IncomingHttpHeaders) => User | null | Promise<User | null>

/**
 * Identifies the caller by the session cookie, else a bearer token, else the access gateway's header, else, only in
 * development, `X-User-Email`. The first credential that is present decides; `null` if there is none.
 */
export function createIdentify({ config, sessions, gateway }: Parts): Identify {
  const verifyToken = async (token: string, via: 'session' | 'token'): Promise<User> => {
    const { email, name, picture, exp } = await sessions.verify(token)
    const isWorker = email === WORKER_EMAIL
    if (!isWorker && !isAllowed(email, config.authentication))
      throw new InvalidToken('Its email address may not sign in.')
    return { email: email.toLowerCase(), via, name, picture, expires: exp, isWorker }
  }

  const verifyAssertion = async (assertion: string, { header, verify }: Gateway): Promise<User> => {
    const { email, exp } = await verify(assertion).catch(
      rejectAs((reason) => new Unauthenticated(`The header ${header} is not valid. ${reason}`)),
    )
    if (!isAllowed(email, config.authentication))
      throw new Forbidden(`The email address ${email.slice(0, 100)} may not sign in here.`)
    return { email: email.toLowerCase(), via: 'gateway', expires: exp, isWorker: false }
  }

  return (headers) => {
    const cookie = sessionCookieOf(headers)
    if (cookie)
      return verifyToken(cookie, 'session').catch(
        rejectAs((reason) => new InvalidSession(`The cookie ${SESSION_COOKIE} is not valid. ${reason}`)),
      )
    const token = bearerTokenOf(headers)
    if (token)
      return verifyToken(token, 'token').catch(
        rejectAs((reason) => new Unauthenticated(`The bearer token is not valid. ${reason}`)),
      )
    const assertion = gateway && headers[gateway.header]
    if (gateway && assertion) return verifyAssertion(String(assertion), gateway)
    return config.production ? null : developmentUser(headers)
  }
}

/** @throws Unauthenticated if there are several different cookies */
function sessionCookieOf({ cookie }: IncomingHttpHeaders): string | undefined {
  const values = readSessionCookies(cookie)
  if (values.size > 1)
    throw new Unauthenticated(
      `There are two different ${SESSION_COOKIE} cookies. Clear the cookies of this site.`,
    )
  const [value] = values
  return value
}

/** @throws Unauthenticated for another authentication scheme */
function bearerTokenOf({ authorization }: IncomingHttpHeaders): string | undefined {
  if (!authorization) return undefined
  const [, token] = /^Bearer +([^ ]+) *$/i.exec(authorization) ?? []
  if (!token) throw new Unauthenticated('The header Authorization must be "Bearer", a space, and a token.')
  return token
}

/** @throws Unauthenticated if the header is not an email address */
function developmentUser({ 'x-user-email': header }: IncomingHttpHeaders): User | null {
  if (!header) return null
  const email = normalizeEmail(String(header))
  if (!isEmailAddress(email))
    throw new Unauthenticated('The header X-User-Email must be a single email address.')
  return { email, via: 'header', isWorker: false }
}

/** Turns an InvalidToken into the given error. */
const rejectAs =
  (toError: (reason: string) => ServiceError) =>
  (error: unknown): never => {
    throw error instanceof InvalidToken ? toError(error.message) : error
  }
