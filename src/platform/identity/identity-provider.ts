import * as oidc from 'openid-client'
import type { IdentityProviderConfig } from '#src/platform/config/authentication.ts'
import {
  Forbidden,
  printable,
  type ServiceError,
  Unauthenticated,
  Unavailable,
} from '#src/platform/errors.ts'
import { shareResult } from '#src/platform/process/share-result.ts'
import { isAsciiEmailAddress } from '#src/platform/schema/email-address.ts'
import { normalizeName } from '#src/platform/schema/normalize-text.ts'

/** Values that the browser keeps between the start and the end of a sign-in. */
export interface SignInAttempt {
  state: string
  nonce: string
  /** PKCE (RFC 7636). */
  code_verifier: string
}

/** The signed-in user according to the provider. */
export interface Profile {
  sub: string
  email: string
  name: string | undefined
  /** An https:// URL. */
  picture: string | undefined
}

export interface IdentityProvider {
  /**
   * Starts a sign-in. Returns the URL to redirect the browser to and the values to keep. `chooseAccount` makes the
   * provider ask which account to use, because its current one was rejected.
   * @throws Unavailable when the provider does not answer
   */
  begin(redirectUri: string, chooseAccount: boolean): Promise<{ address: URL; attempt: SignInAttempt }>
  /**
   * Completes a sign-in: takes the callback URL and exchanges its code for the user.
   * @throws Unauthenticated if the response is a refusal, was already used or cannot be trusted
   * @throws Forbidden without a verified email address
   * @throws Unavailable when the provider does not answer
   */
  finish(callback: URL, attempt: SignInAttempt): Promise<Profile>
  /** Whether the provider is reachable, from a check in the last few seconds. */
  isReachable(): Promise<boolean>
}

const TIMEOUT_SECONDS = 5
/** How long the provider's metadata, or a failure to fetch it, is cached. */
const DISCOVERY_TTL_MS = 30_000
const DISCOVERY_FAILURE_TTL_MS = 2000
const SCOPE = 'openid email profile'
/** Longer values would not fit in a cookie. */
const MAX_NAME_LENGTH = 200
const MAX_PICTURE_URL_LENGTH = 1000

/**
 * An OpenID Connect provider, with the authorization code flow, PKCE, state and nonce (OpenID Connect Core, section
 * 3.1). Discovery runs on first use and again later, so the provider may be down when the service starts.
 */
export function createIdentityProvider(config: IdentityProviderConfig): IdentityProvider {
  const discover = shareResult(() => discovery(config), {
    successMs: DISCOVERY_TTL_MS,
    failureMs: DISCOVERY_FAILURE_TTL_MS,
  })
  return {
    begin: async (redirectUri, chooseAccount) => {
      const provider = await discover().catch(unreachable)
      const attempt = {
        state: oidc.randomState(),
        nonce: oidc.randomNonce(),
        code_verifier: oidc.randomPKCECodeVerifier(),
      }
      const address = oidc.buildAuthorizationUrl(provider, {
        redirect_uri: redirectUri,
        scope: SCOPE,
        state: attempt.state,
        nonce: attempt.nonce,
        code_challenge: await oidc.calculatePKCECodeChallenge(attempt.code_verifier),
        code_challenge_method: 'S256',
        ...(chooseAccount ? { prompt: accountPrompt(provider) } : {}),
      })
      return { address, attempt }
    },

    finish: async (callback, attempt) => {
      const provider = await discover().catch(unreachable)
      return profileOf(await userOf(provider, callback, attempt).catch(explain), config)
    },

    isReachable: () =>
      discover().then(
        () => true,
        () => false,
      ),
  }
}

const discovery = ({ issuer, clientId, clientSecret }: IdentityProviderConfig): Promise<oidc.Configuration> =>
  oidc.discovery(new URL(issuer), clientId, undefined, clientAuthentication(clientSecret), {
    timeout: TIMEOUT_SECONDS,
    // Settings allow http:// only for a provider on localhost.
    execute: [
      oidc.enableNonRepudiationChecks,
      ...(issuer.startsWith('http:') ? [oidc.allowInsecureRequests] : []),
    ],
  })

/**
 * Sends the client secret with a method that the provider supports, HTTP Basic by default (OpenID Connect Discovery,
 * section 3).
 */
function clientAuthentication(secret: string): oidc.ClientAuth {
  const [post, basic] = [oidc.ClientSecretPost(secret), oidc.ClientSecretBasic(secret)]
  return (server, ...request) => {
    const methods = server.token_endpoint_auth_methods_supported ?? ['client_secret_basic']
    const isPostOnly = methods.includes('client_secret_post') && !methods.includes('client_secret_basic')
    return (isPostOnly ? post : basic)(server, ...request)
  }
}

/**
 * Not every provider has an account chooser; all can ask for a new sign-in (OpenID Connect Core, section 3.1.2.1).
 */
function accountPrompt(provider: oidc.Configuration): string {
  const { prompt_values_supported: known } = provider.serverMetadata()
  return !Array.isArray(known) || known.includes('select_account') ? 'select_account' : 'login'
}

interface Claims {
  sub: string
  [claim: string]: unknown
}

/** The claims of the ID token, completed from the userinfo endpoint if some are missing. */
async function userOf(provider: oidc.Configuration, callback: URL, attempt: SignInAttempt): Promise<Claims> {
  const tokens = await oidc.authorizationCodeGrant(provider, callback, {
    expectedState: attempt.state,
    expectedNonce: attempt.nonce,
    pkceCodeVerifier: attempt.code_verifier,
    idTokenExpected: true,
  })
  const claims = tokens.claims() as oidc.IDToken
  const isComplete = [claims.email, claims.email_verified, claims.name].every((claim) => claim !== undefined)
  if (isComplete || !provider.serverMetadata().userinfo_endpoint) return claims
  return { ...claims, ...(await oidc.fetchUserInfo(provider, tokens.access_token, claims.sub)) }
}

/** @throws Forbidden without a verified email address */
function profileOf(
  { sub, email, email_verified, name, picture }: Claims,
  { assumeVerified }: Pick<IdentityProviderConfig, 'assumeVerified'>,
): Profile {
  if (typeof email !== 'string' || !isAsciiEmailAddress(email))
    throw new Forbidden('The identity provider returned no email address that can sign in here.')
  if (email_verified === undefined && !assumeVerified)
    throw new Forbidden(
      `The identity provider does not state whether the email address ${email} is verified. An administrator can accept such addresses with IDP_ASSUME_VERIFIED=true.`,
    )
  // Some providers send the claim as a string.
  if (![true, 'true', undefined].includes(email_verified as boolean | string | undefined))
    throw new Forbidden(`The identity provider has not verified the email address ${email}.`)
  const isUsable =
    typeof picture === 'string' && picture.length <= MAX_PICTURE_URL_LENGTH && /^https:\/\//.test(picture)
  return {
    sub,
    email: email.toLowerCase(),
    name: nameOf(name),
    picture: isUsable && URL.canParse(picture) ? picture : undefined,
  }
}

/** A name that fits in a cookie and can be stored in the database. */
function nameOf(claim: unknown): string | undefined {
  if (typeof claim !== 'string') return undefined
  return normalizeName(printable(claim)).trim().slice(0, MAX_NAME_LENGTH).toWellFormed() || undefined
}

function unreachable(error: unknown): never {
  if (isUnreachable(error))
    throw new Unavailable('The identity provider does not answer (IDP_ISSUER). Try again in a moment.', {
      cause: error,
    })
  throw new Unavailable('IDP_ISSUER is not a working OpenID Connect provider; see the log for the reason.', {
    cause: error,
  })
}

const isUnreachable = (error: unknown): boolean =>
  (error instanceof TypeError && /fetch|network/i.test(error.message)) ||
  (error as { code?: string }).code === 'OAUTH_TIMEOUT'

/** Turns an error from the provider into an explanation for the person who is signing in. */
function explain(error: unknown): never {
  if (error instanceof oidc.AuthorizationResponseError) throw explainRefusal(error.error, error)
  if (error instanceof oidc.ResponseBodyError && error.error === 'invalid_grant')
    throw refused('This sign-in has expired or was already used. Sign in again.', error)
  if (error instanceof oidc.ResponseBodyError || error instanceof oidc.WWWAuthenticateChallengeError)
    throw new Unavailable('The identity provider does not accept this service as a client.', {
      cause: error,
    })
  if (isUnreachable(error) || (error as { code?: string }).code === 'OAUTH_RESPONSE_IS_NOT_CONFORM')
    throw new Unavailable('The identity provider does not answer. Try again in a moment.', { cause: error })
  throw refused("The identity provider's response cannot be trusted. Sign in again.", error)
}

function explainRefusal(error: string, cause: unknown): ServiceError {
  switch (error) {
    case 'access_denied':
      return refused('The sign-in was canceled or the identity provider denied it.', cause)
    case 'server_error':
    case 'temporarily_unavailable':
      return new Unavailable('The identity provider reported an error. Try again in a moment.', { cause })
    default:
      return refused(`The identity provider did not sign you in (${error.slice(0, 100)}).`, cause)
  }
}

const refused = (details: string, cause: unknown) => new Unauthenticated(details, { cause })
