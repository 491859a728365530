import * as oidc from 'openid-client'
import type { IdentityProviderConfig } from '#src/platform/config/authentication.ts'
import { Forbidden, printable } from '#src/platform/errors.ts'
import { isAsciiEmailAddress } from '#src/platform/schema/email-address.ts'
import { normalizeName } from '#src/platform/schema/normalize-text.ts'
import { memoize } from '#src/platform/single-flight.ts'
import { mayBeVerified } from './email-verified.ts'
import {
  type ClientSecret,
  discovery,
  exchange,
  extensions,
  type SignInAttempt,
  type Tokens,
} from './provider-client.ts'
import { explainDiscovery, explainSignIn, explainUserInfo } from './provider-errors.ts'

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

/** A sign-in often works without the userinfo endpoint, so people do not wait long for it. */
const USER_INFO_TIMEOUT_SECONDS = 2
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
  const secret: ClientSecret = { value: config.clientSecret, isPostOnly: false }
  const discover = memoize(() => discovery(config, secret), {
    successMs: DISCOVERY_TTL_MS,
    failureMs: DISCOVERY_FAILURE_TTL_MS,
  })
  const provide = () => discover().catch((error) => explainDiscovery(error, config.issuer))
  return {
    begin: async (redirectUri, chooseAccount) => {
      const provider = await provide()
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
      const provider = await provide()
      const tokens = await exchange(provider, callback, attempt, secret).catch(explainSignIn)
      return profileOf(await userOf(provider, tokens, config), config)
    },

    isReachable: () =>
      discover().then(
        () => true,
        () => false,
      ),
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

/**
 * The claims of the ID token, completed from the userinfo endpoint if some are missing. If that fails, an ID token with
 * a verified email address is enough.
 * @throws Forbidden if the endpoint refuses what a sign-in needs
 * @throws Unavailable if it does not answer
 */
async function userOf(
  provider: oidc.Configuration,
  tokens: Tokens,
  { assumeVerified }: IdentityProviderConfig,
): Promise<Claims> {
  const claims = tokens.claims() as oidc.IDToken
  const missing = ['email', 'email_verified', 'name'].filter((claim) => claims[claim] === undefined)
  if (missing.length === 0 || !provider.serverMetadata().userinfo_endpoint) return claims
  try {
    const userInfo = await oidc.fetchUserInfo(forUserInfo(provider), tokens.access_token, claims.sub)
    return { ...claims, ...userInfo }
  } catch (error) {
    const needed = missing.filter(
      (claim) => claim === 'email' || (claim === 'email_verified' && !assumeVerified),
    )
    if (needed.length === 0) return claims
    throw explainUserInfo(error, needed)
  }
}

/** Providers that sign userinfo rarely list its algorithms. They use those of ID tokens. */
function forUserInfo(provider: oidc.Configuration): oidc.Configuration {
  const server = provider.serverMetadata()
  const { supportsPKCE: _, ...metadata } = server
  const signed: oidc.ServerMetadata = {
    userinfo_signing_alg_values_supported: server.id_token_signing_alg_values_supported ?? ['RS256'],
    ...metadata,
  }
  const configuration = new oidc.Configuration(signed, provider.clientMetadata().client_id)
  for (const extend of extensions(server.issuer)) extend(configuration)
  configuration.timeout = USER_INFO_TIMEOUT_SECONDS
  return configuration
}

/** @throws Forbidden without a verified email address */
function profileOf(
  { sub, email, email_verified, name, picture }: Claims,
  { assumeVerified }: Pick<IdentityProviderConfig, 'assumeVerified'>,
): Profile {
  if (email === undefined || email === null)
    throw new Forbidden(
      `The identity provider sent no email address: the claim email is missing from the ID token and from userinfo. An administrator of the provider can release it to this service, which asks for the scopes ${SCOPE}.`,
    )
  if (typeof email !== 'string' || !isAsciiEmailAddress(email))
    throw new Forbidden('The identity provider returned no email address that can sign in here.')
  if (email_verified === undefined && !assumeVerified)
    throw new Forbidden(
      `The identity provider does not state whether the email address ${email} is verified. An administrator can accept such addresses with IDP_ASSUME_VERIFIED=true.`,
    )
  if (!mayBeVerified(email_verified))
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
