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
import { isAsciiEmailAddress } from '#src/platform/schema/shapes.ts'

/** What must be remembered in the browser between the start of a sign-in and its end. */
export interface SignInAttempt {
  state: string
  nonce: string
  /** PKCE (RFC 7636). */
  code_verifier: string
}

/** Who signed in, as the provider says. */
export interface Profile {
  sub: string
  email: string
  name: string | undefined
  /** An https address. */
  picture: string | undefined
}

export interface IdentityProvider {
  /**
   * Begins a sign-in: where to send the browser, and what to remember. The person may be made to choose an account,
   * because the one that the provider knows did not work.
   * @throws Unavailable when the provider does not answer
   */
  begin(redirectUri: string, chooseAccount: boolean): Promise<{ address: URL; attempt: SignInAttempt }>
  /**
   * Ends a sign-in: takes the address that the provider sent the browser back to, and gets the user for its code.
   * @throws Unauthenticated for a refused or used-up answer, or one that cannot be trusted, Forbidden without a verified
   * e-mail address, Unavailable when the provider does not answer
   */
  finish(callback: URL, attempt: SignInAttempt): Promise<Profile>
  /** Whether the provider answers now, or did within the last seconds. */
  isReachable(): Promise<boolean>
}

const TIMEOUT_SECONDS = 5
/** So long an answer of the provider about itself, or its silence, is taken as still true. */
const DISCOVERY_LASTS_MS = 30_000
const SILENCE_LASTS_MS = 2000
const SCOPE = 'openid email profile'
/** Longer ones would not fit into a cookie. */
const MAX_NAME_LENGTH = 200
const MAX_PICTURE_URL_LENGTH = 1000

/**
 * An OpenID Connect provider, used by the authorization code flow with PKCE, state and nonce (OpenID Connect Core,
 * section 3.1). It is asked about itself when first needed, and again later, so it may be down when we start.
 */
export function createIdentityProvider(config: IdentityProviderConfig): IdentityProvider {
  const discover = shareResult(() => discovery(config), {
    successMs: DISCOVERY_LASTS_MS,
    failureMs: SILENCE_LASTS_MS,
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
  oidc.discovery(new URL(issuer), clientId, undefined, secretAsAsked(clientSecret), {
    timeout: TIMEOUT_SECONDS,
    // Settings allow http:// for a provider on this machine only.
    execute: [
      oidc.enableNonRepudiationChecks,
      ...(issuer.startsWith('http:') ? [oidc.allowInsecureRequests] : []),
    ],
  })

/** Sends the secret as the provider wants it; without its word by HTTP Basic (OpenID Connect Discovery, section 3). */
function secretAsAsked(secret: string): oidc.ClientAuth {
  const [post, basic] = [oidc.ClientSecretPost(secret), oidc.ClientSecretBasic(secret)]
  return (server, ...request) => {
    const methods = server.token_endpoint_auth_methods_supported ?? ['client_secret_basic']
    const isPostOnly = methods.includes('client_secret_post') && !methods.includes('client_secret_basic')
    return (isPostOnly ? post : basic)(server, ...request)
  }
}

/** Not every provider can let people choose; all can make them sign in anew (OpenID Connect Core, section 3.1.2.1). */
function accountPrompt(provider: oidc.Configuration): string {
  const { prompt_values_supported: known } = provider.serverMetadata()
  return !Array.isArray(known) || known.includes('select_account') ? 'select_account' : 'login'
}

interface Claims {
  sub: string
  [claim: string]: unknown
}

/** The claims of the ID token, and of the provider's user info where the ID token does not have them all. */
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
    throw new Forbidden('The identity provider gave no e-mail address that can sign in here.')
  if (email_verified === undefined && !assumeVerified)
    throw new Forbidden(
      `The identity provider does not say whether the email address ${email} is verified. An administrator can accept such addresses with IDP_ASSUME_VERIFIED=true.`,
    )
  // Some providers write the claim as text.
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

/** A name that fits into a cookie and into the database. */
function nameOf(claim: unknown): string | undefined {
  if (typeof claim !== 'string') return undefined
  return printable(claim).trim().slice(0, MAX_NAME_LENGTH).toWellFormed() || undefined
}

function unreachable(error: unknown): never {
  if (isNoAnswer(error))
    throw new Unavailable('The identity provider does not answer (IDP_ISSUER). Try again in a moment.', {
      cause: error,
    })
  throw new Unavailable(
    'What answers at IDP_ISSUER is not the OpenID Connect provider of that name; the log has the reason.',
    { cause: error },
  )
}

const isNoAnswer = (error: unknown): boolean =>
  (error instanceof TypeError && /fetch|network/i.test(error.message)) ||
  (error as { code?: string }).code === 'OAUTH_TIMEOUT'

/** What a failed answer of the provider means to the person who signs in. */
function explain(error: unknown): never {
  if (error instanceof oidc.AuthorizationResponseError) throw refusal(error.error, error)
  if (error instanceof oidc.ResponseBodyError && error.error === 'invalid_grant')
    throw refused('This sign-in was already used, or took too long. Sign in again.', error)
  if (error instanceof oidc.ResponseBodyError || error instanceof oidc.WWWAuthenticateChallengeError)
    throw new Unavailable('The identity provider does not accept this service as its client.', {
      cause: error,
    })
  if (isNoAnswer(error) || (error as { code?: string }).code === 'OAUTH_RESPONSE_IS_NOT_CONFORM')
    throw new Unavailable('The identity provider does not answer. Try again in a moment.', { cause: error })
  throw refused('The answer of the identity provider cannot be trusted. Sign in again.', error)
}

function refusal(error: string, cause: unknown): ServiceError {
  switch (error) {
    case 'access_denied':
      return refused('The sign-in was cancelled, or the identity provider refused it.', cause)
    case 'server_error':
    case 'temporarily_unavailable':
      return new Unavailable('The identity provider has a fault. Try again in a moment.', { cause })
    default:
      return refused(`The identity provider did not sign you in (${error.slice(0, 100)}).`, cause)
  }
}

const refused = (details: string, cause: unknown) => new Unauthenticated(details, { cause })
