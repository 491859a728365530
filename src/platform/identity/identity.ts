import type { IncomingHttpHeaders } from 'node:http'
import type { Config } from '#src/platform/config/config.ts'
import { Forbidden, type ServiceError, Unauthenticated } from '#src/platform/errors.ts'
import { isEmailAddress } from '#src/platform/schema/shapes.ts'
import { isAllowed } from './allowlist.ts'
import type { Gateway } from './gateway.ts'
import { InvalidToken, type Sessions } from './session.ts'

/** Who makes a request. */
export interface User {
  /** Lower case. */
  email: string
  via: 'session' | 'token' | 'gateway' | 'header'
  name?: string | undefined
  /** An address. */
  picture?: string | undefined
  /** Unix seconds; absent when the request says who it is by itself. */
  expires?: number
  /** The AI worker, by a token that this service's secret has signed. */
  isWorker: boolean
}

declare module 'fastify' {
  interface FastifyRequest {
    user: User | null
  }
}

export const SESSION_COOKIE = 'service_session'

/** The attributes of our cookies (contract, section 5). */
export const sessionCookie = ({ production }: Pick<Config, 'production'>) =>
  ({ path: '/', httpOnly: true, sameSite: 'lax', secure: production }) as const

/** A session cookie that is of no use any more. */
export class InvalidSession extends Unauthenticated {
  constructor(details: string, options?: ErrorOptions) {
    super(`${details} Sign in again.`, options)
  }
}

/** Under which the worker is known. Nobody can have this address: RFC 2606 keeps `.invalid` free. */
export const WORKER_EMAIL = 'worker@deal-pipeline.invalid'

/** The worker's credential: a bearer token of our own. */
export const signWorkerToken = (sessions: Sessions, seconds: number): Promise<string> =>
  sessions.sign({ sub: WORKER_EMAIL, email: WORKER_EMAIL, name: 'AI worker' }, seconds)

/** The one spelling of an e-mail address by which a user is known. */
export const normalizeEmail = (email: string): string => email.trim().toLowerCase()

interface Parts {
  config: Pick<Config, 'production' | 'authentication'>
  sessions: Sessions
  gateway: Gateway | undefined
}

/** @throws Unauthenticated for a credential that is not valid, Forbidden for a person who is not allowed in */
export type Identify = (headers: IncomingHttpHeaders) => User | null | Promise<User | null>

/**
 * Tells who is asking: by the session cookie, else a bearer token, else the access gateway's header, else, in
 * development only, `X-User-Email`. The first that is not empty decides; `null` when all are.
 */
export function createIdentify({ config, sessions, gateway }: Parts): Identify {
  const ofToken = async (token: string, via: 'session' | 'token'): Promise<User> => {
    const { email, name, picture, exp } = await sessions.verify(token)
    const isWorker = email === WORKER_EMAIL
    if (!isWorker && !isAllowed(email, config.authentication))
      throw new InvalidToken('Its e-mail address may not sign in (any more).')
    return { email: email.toLowerCase(), via, name, picture, expires: exp, isWorker }
  }

  const ofAssertion = async (assertion: string, { header, verify }: Gateway): Promise<User> => {
    const { email, exp } = await verify(assertion).catch(
      refuse((fault) => new Unauthenticated(`The header ${header} is not valid. ${fault}`)),
    )
    if (!isAllowed(email, config.authentication))
      throw new Forbidden(`The e-mail address ${email.slice(0, 100)} may not sign in here.`)
    return { email: email.toLowerCase(), via: 'gateway', expires: exp, isWorker: false }
  }

  return (headers) => {
    const cookies = sessionCookies(headers.cookie)
    if (cookies.size > 1)
      throw new Unauthenticated(
        `There are two different cookies ${SESSION_COOKIE}. Clear the cookies of this site.`,
      )
    for (const cookie of cookies)
      return ofToken(cookie, 'session').catch(
        refuse((fault) => new InvalidSession(`The cookie ${SESSION_COOKIE} is not valid. ${fault}`)),
      )

    if (headers.authorization) {
      const [, token] = /^Bearer +([^ ]+) *$/i.exec(headers.authorization) ?? []
      if (!token)
        throw new Unauthenticated('The header Authorization must be "Bearer", a space, and a token.')
      return ofToken(token, 'token').catch(
        refuse((fault) => new Unauthenticated(`The bearer token is not valid. ${fault}`)),
      )
    }

    const assertion = gateway && headers[gateway.header]
    if (gateway && assertion) return ofAssertion(String(assertion), gateway)

    const header = headers['x-user-email']
    if (config.production || !header) return null
    const email = normalizeEmail(String(header))
    if (!isEmailAddress(email))
      throw new Unauthenticated('The header X-User-Email must be one e-mail address.')
    return { email, via: 'header', isWorker: false }
  }
}

const NO_COOKIES: ReadonlySet<string> = new Set()

/** The different values of the session cookie: a page of a neighbouring domain may have set one beside ours. */
function sessionCookies(header: string | undefined): ReadonlySet<string> {
  if (header === undefined) return NO_COOKIES
  const found = header.matchAll(/(?:^|;)\s*service_session=([^;]*)/g)
  return new Set(Array.from(found, ([, value = '']) => value.trim()).filter((value) => value !== ''))
}

/** Makes a token's fault the answer to the request. */
const refuse =
  (answer: (fault: string) => ServiceError) =>
  (error: unknown): never => {
    throw error instanceof InvalidToken ? answer(error.message) : error
  }
