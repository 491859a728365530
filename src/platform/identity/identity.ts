import type { IncomingHttpHeaders } from 'node:http'
import type { Config } from '#src/platform/config/config.ts'
import { Forbidden, type ServiceError, Unauthenticated } from '#src/platform/errors.ts'
import { type Action, DEFAULT_ROLE, lowerRole, roleOf } from '#src/platform/http/security/permissions.ts'
import { isEmailAddress } from '#src/platform/schema/email-address.ts'
import { truncate } from '#src/platform/truncate.ts'
import type { AccessState } from './access-state.ts'
import { isAllowed } from './allowlist.ts'
import { hashKey, isKey, KEY_PREFIX } from './api-key.ts'
import type { Authorize, Principal } from './authorize.ts'
import type { Gateway } from './gateway.ts'
import type { RequireRecentUse } from './idle-sessions.ts'
import { InvalidToken, type Session, type Sessions } from './session.ts'
import { readSessionCookies, SESSION_COOKIE } from './session-cookie.ts'
import { WORKER_EMAIL } from './worker-token.ts'

/** The caller of a request. */
export interface User extends Principal {
  via: 'session' | 'token' | 'key' | 'gateway' | 'header'
  name?: string | undefined
  /** A URL. */
  picture?: string | undefined
  /** Unix seconds; absent for the development header, and for a key that does not expire. */
  expires?: number | undefined
  /** When the session ends if it is not used before, in Unix seconds. */
  idleExpires?: number | undefined
  /** Absent for tokens from before sessions could be ended, and for those of the command line. */
  session?: { id: string; created: number; expires: number } | undefined
  key?: { id: string; hash: string } | undefined
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
  config: Pick<Config, 'production' | 'authentication' | 'enforceRoles'>
  sessions: Sessions
  gateway: Gateway | undefined
  access: AccessState
  requireRecentUse: RequireRecentUse
}

/**
 * @param isAutomatic whether the request was sent without the user, so that it does not keep a session in use
 * @throws Unauthenticated for an invalid credential, Forbidden for a user who may not sign in
 */
export type Identify = (headers: IncomingHttpHeaders, isAutomatic: boolean) => Promise<User | null>

/**
 * Identifies the caller by the session cookie, else a bearer token or API key, else the access gateway's header, else,
 * only in development, `X-User-Email`. The first credential that is present decides; `null` if there is none.
 */
export function createIdentify(parts: Parts): Identify {
  const { config, sessions, gateway, access } = parts
  const identifyBySession = async (
    session: Session,
    via: 'session' | 'token',
    isAutomatic: boolean,
  ): Promise<User> => {
    const { name, picture, iat, exp, jti } = session
    const email = session.email.toLowerCase()
    const isWorker = email === WORKER_EMAIL
    if (!isWorker) requireAllowed(email, config)
    const user: User = {
      ...{ email, via, name, picture, expires: exp, isWorker, role: DEFAULT_ROLE },
      session: jti === undefined ? undefined : { id: jti, created: iat, expires: exp },
    }
    await access.whenUsable()
    return renew(parts, { ...user, idleExpires: await parts.requireRecentUse(session, isAutomatic) })
  }
  const identifyByToken = (token: string, via: 'session' | 'token', isAutomatic: boolean) => async () =>
    identifyBySession(await sessions.verify(token), via, isAutomatic)

  const identifyByKey = async (text: string): Promise<User> => {
    if (!isKey(text)) throw new InvalidToken('It is mistyped or incomplete.')
    await access.whenUsable()
    const key = await access.findKey(hashKey(text))
    if (!key) throw new InvalidToken('There is no such key.')
    requireAllowed(key.user_email, config)
    const { id, hash, user_email: email, scopes } = key
    return renew(parts, {
      ...{ email, via: 'key', scopes, isWorker: false, role: DEFAULT_ROLE },
      ...{ key: { id, hash }, expires: key.expires ?? undefined },
    })
  }

  const identifyByAssertion = async (assertion: string, { header, verify }: Gateway): Promise<User> => {
    const { email, exp } = await attempt(
      () => verify(assertion),
      (reason) => new Unauthenticated(`The header ${header} is not valid. ${reason}`),
    )
    if (!isAllowed(email, config.authentication))
      throw new Forbidden(`The email address ${truncate(email, 100)} may not sign in here.`)
    await access.whenUsable()
    return identifyByAddress(parts, { email: email.toLowerCase(), via: 'gateway', expires: exp })
  }

  return async (headers, isAutomatic) => {
    const cookie = sessionCookieOf(headers)
    if (cookie)
      return attempt(
        identifyByToken(cookie, 'session', isAutomatic),
        (reason) => new InvalidSession(`The cookie ${SESSION_COOKIE} is not valid. ${reason}`),
      )
    const token = bearerTokenOf(headers)
    if (token?.startsWith(KEY_PREFIX))
      return attempt(
        () => identifyByKey(token),
        (reason) => new Unauthenticated(`The API key is not valid. ${reason}`),
      )
    if (token)
      return attempt(
        identifyByToken(token, 'token', isAutomatic),
        (reason) => new Unauthenticated(`The bearer token is not valid. ${reason}`),
      )
    const assertion = gateway && headers[gateway.header]
    if (gateway && assertion) return identifyByAssertion(String(assertion), gateway)
    const email = config.production ? undefined : developmentEmail(headers)
    if (email === undefined) return null
    await access.whenUsable()
    return identifyByAddress(parts, { email, via: 'header' })
  }
}

/**
 * The caller with their present role.
 * @throws InvalidToken if the user, session or key may no longer be used
 */
export function renew({ access, config }: Pick<Parts, 'access' | 'config'>, user: User): User {
  if (user.isWorker && !user.key) return user
  // Without the address: a refusal may be recorded, and must not store it again.
  if (access.isErased(user.email)) throw new InvalidToken('Its user was erased.')
  const { role, isDisabled } = access.userOf(user.email)
  if (isDisabled) throw new InvalidToken(`The user ${user.email} is disabled.`)
  if (user.session && access.isEnded(user.session.id)) throw new InvalidToken('The session was ended.')
  if (!user.key) return { ...user, role }
  const key = access.keyOf(user.key.hash)
  if (!key || key.is_revoked) throw new InvalidToken('It was revoked.')
  if (key.expires !== null && key.expires * 1000 <= Date.now()) throw new InvalidToken('It has expired.')
  // The worker reports on every bulk action and has no rate limit: without an admin as owner, the scope is worth nothing.
  const isWorker = key.scopes.includes('worker') && (!config.enforceRoles || role === 'admin')
  const scopes = isWorker ? key.scopes : key.scopes.filter((scope) => scope !== 'worker')
  return { ...user, role: lowerRole(role, roleOf(key.role)), scopes, isWorker }
}

export type AccessParts = Pick<Parts, 'access' | 'config'> & { authorize: Authorize }

/** @throws Unauthenticated or MissingPermission if the user of an earlier request may no longer take the action */
export function requireStillAllowed(parts: AccessParts, user: User | null, action: Action): void {
  try {
    parts.authorize(user && renew(parts, user), action)
  } catch (error) {
    throw error instanceof InvalidToken ? new Unauthenticated(error.message) : error
  }
}

/** Whether the credential of an earlier request is still valid and its user may still take the action. */
export function isStillAllowed(parts: AccessParts, user: User | null, action: Action): boolean {
  try {
    requireStillAllowed(parts, user, action)
    return true
  } catch {
    return false
  }
}

/** When a response that stays open must end, in Unix seconds: with the credential, or when the session may be unused. */
export function openUntil(user: User | null): number | undefined {
  const ends = [user?.expires, user?.idleExpires].filter((end) => end !== undefined)
  return ends.length > 0 ? Math.min(...ends) : undefined
}

/** @throws InvalidToken */
function requireAllowed(email: string, { authentication }: Parts['config']): void {
  if (!isAllowed(email, authentication)) throw new InvalidToken('Its email address may not sign in.')
}

/** @throws Forbidden if the user is disabled */
function identifyByAddress(parts: Parts, identified: Pick<User, 'email' | 'via' | 'expires'>): User {
  try {
    return renew(parts, { ...identified, isWorker: false, role: DEFAULT_ROLE })
  } catch (error) {
    throw error instanceof InvalidToken ? new Forbidden(error.message) : error
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
function developmentEmail({ 'x-user-email': header }: IncomingHttpHeaders): string | undefined {
  if (!header) return undefined
  const email = normalizeEmail(String(header))
  if (!isEmailAddress(email))
    throw new Unauthenticated('The header X-User-Email must be a single email address.')
  return email
}

/** Runs an identification and turns an InvalidToken into this error. */
async function attempt<T>(
  identification: () => Promise<T>,
  toError: (reason: string) => ServiceError,
): Promise<T> {
  try {
    return await identification()
  } catch (error) {
    throw error instanceof InvalidToken ? toError(error.message) : error
  }
}
