import * as oidc from 'openid-client'
import {
  Forbidden,
  printable,
  type ServiceError,
  Unauthenticated,
  Unavailable,
} from '#src/platform/errors.ts'
import { truncate } from '#src/platform/truncate.ts'

/** Longer texts of a provider are cut. */
const MAX_TEXT_LENGTH = 200

const quoted = (text: unknown): string => `"${truncate(printable(String(text)), MAX_TEXT_LENGTH)}"`

const isUnreachable = (error: unknown): boolean =>
  (error instanceof TypeError && /fetch|network/i.test(error.message)) ||
  (error as { code?: string }).code === 'OAUTH_TIMEOUT'

/**
 * Explains why the provider's metadata cannot be used.
 * @param issuer the value of IDP_ISSUER
 * @throws Unavailable always
 */
export function explainDiscovery(error: unknown, issuer: string): never {
  throw new Unavailable(discoveryFailure(error, issuer), { cause: error })
}

function discoveryFailure(error: unknown, issuer: string): string {
  if (isUnreachable(error))
    return 'The identity provider does not answer (IDP_ISSUER). Try again in a moment.'
  const start = 'IDP_ISSUER is not a working OpenID Connect provider:'
  const stated = causesOf(error).find(({ attribute }) => attribute === 'issuer')?.body?.issuer
  if (typeof stated === 'string') {
    const remedy = stated.includes('{')
      ? 'That is a template. Set IDP_ISSUER to the issuer of your own tenant.'
      : 'Set IDP_ISSUER to the exact text that the provider states.'
    return `${start} its value is ${quoted(issuer)}, but the provider states ${quoted(stated)}. ${remedy}`
  }
  const status = statusOf(error)
  const found = status === undefined ? printable((error as Error).message) : `the status ${status}`
  return `${start} ${new URL(issuer).href.replace(/\/$/, '')}/.well-known/openid-configuration answers with ${found}.`
}

/**
 * Explains an error of a sign-in to the person and to the administrator.
 * @throws Unauthenticated if the response is a refusal, was already used, or cannot be trusted
 * @throws Unavailable if the provider does not answer, or rejects this service
 */
export function explainSignIn(error: unknown): never {
  if (error instanceof oidc.AuthorizationResponseError) throw explainRefusal(error)
  if (error instanceof oidc.ResponseBodyError && error.error === 'invalid_grant')
    throw refused('This sign-in has expired or was already used. Sign in again.', error)
  if (error instanceof RejectedClient) throw error
  if (isUnreachable(error) || (error as { code?: unknown }).code === 'OAUTH_RESPONSE_IS_NOT_CONFORM')
    throw new Unavailable('The identity provider does not answer. Try again in a moment.', { cause: error })
  throw refused(
    `The identity provider's response cannot be trusted${distrust(error)}. Sign in again. If this happens again, tell an administrator.`,
    error,
  )
}

/** The provider does not accept the client id, its secret, or how they were sent. */
export class RejectedClient extends Unavailable {
  /** @param refusals the provider's reasons, and the methods that the secret was sent with */
  constructor(refusals: { method: string; reason: string }[], cause: unknown) {
    const reasons = refusals.map(({ method, reason }) => `${reason} (sent with ${method})`)
    super(
      `The identity provider does not accept this service as a client: ${reasons.join(', ')}. Check IDP_CLIENT_ID and IDP_CLIENT_SECRET.`,
      { cause },
    )
  }
}

/**
 * Returns the provider's own words if the token endpoint rejected this service, such as `invalid_client: wrong secret`.
 */
export async function clientRefusal(error: unknown): Promise<string | undefined> {
  if (error instanceof oidc.ResponseBodyError && error.error !== 'invalid_grant')
    return refusalText(error.error, error.error_description)
  if (!(error instanceof oidc.WWWAuthenticateChallengeError)) return undefined
  const body = await error.response
    .clone()
    .json()
    .catch(() => undefined)
  return refusalText(body?.error ?? `status ${error.status}`, body?.error_description)
}

const refusalText = (error: unknown, description: unknown): string =>
  printable([error, description].filter((text) => typeof text === 'string').join(': ')).slice(
    0,
    MAX_TEXT_LENGTH,
  )

/**
 * Explains why the userinfo endpoint could not complete the ID token.
 * @param missing the claims that a sign-in needs
 */
export function explainUserInfo(error: unknown, missing: string[]): ServiceError {
  const start = `The identity provider's ID token has no claim ${missing.join(' and ')}, and its userinfo endpoint`
  if (isUnreachable(error))
    return new Unavailable(`${start} does not answer. Try again in a moment.`, { cause: error })
  const status = statusOf(error)
  const found =
    status === undefined ? `gave an answer that cannot be trusted${distrust(error)}` : `answers ${status}`
  const remedy = missing.includes('email')
    ? 'An administrator of the provider can add the claim to ID tokens.'
    : 'An administrator can accept such addresses with IDP_ASSUME_VERIFIED=true.'
  return new Forbidden(`${start} ${found}. ${remedy}`, { cause: error })
}

/** What differs from what this service expects, as far as the library tells. */
function distrust(error: unknown): string {
  for (const { header, expected, claim, claims } of causesOf(error)) {
    if (header?.alg)
      return `: it is signed with ${quoted(header.alg)}, but ${[expected].flat().map(quoted).join(', ')} is expected (set the algorithm of this client's ID tokens at the provider)`
    if (claim === 'iss') return `: its issuer is ${quoted(claims?.iss)}, but ${quoted(expected)} is expected`
    if (typeof claim === 'string') return `: its claim ${quoted(claim)} does not have the expected value`
  }
  return ''
}

interface Cause {
  attribute?: unknown
  body?: { issuer?: unknown }
  status?: unknown
  header?: { alg?: unknown }
  expected?: unknown
  claim?: unknown
  claims?: { iss?: unknown }
  cause?: unknown
}

/** The error and its chain of causes, outermost first. */
function causesOf(error: unknown): Cause[] {
  const causes: Cause[] = []
  for (let next = error; typeof next === 'object' && next !== null; next = (next as Cause).cause)
    causes.push(next as Cause)
  return causes
}

/** The HTTP status of the answer, if that is what was wrong with it. */
const statusOf = (error: unknown): number | undefined =>
  causesOf(error).find(({ status }) => typeof status === 'number')?.status as number | undefined

function explainRefusal(error: oidc.AuthorizationResponseError): ServiceError {
  switch (error.error) {
    case 'access_denied':
      return refused('The sign-in was canceled or the identity provider denied it.', error)
    case 'server_error':
    case 'temporarily_unavailable':
      return new Unavailable('The identity provider reported an error. Try again in a moment.', {
        cause: error,
      })
    default: {
      const text = refusalText(error.error, error.error_description)
      return refused(`The identity provider did not sign you in (${text}).`, error)
    }
  }
}

const refused = (details: string, cause: unknown) => new Unauthenticated(details, { cause })
