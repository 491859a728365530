import {
  createLocalJWKSet,
  createRemoteJWKSet,
  errors,
  type JSONWebKeySet,
  type JWTPayload,
  type JWTVerifyGetKey,
  jwksCache,
  jwtVerify,
} from 'jose'
import { LRUCache } from 'lru-cache'
import type { GatewayConfig } from '#src/platform/config/authentication.ts'
import { Unavailable } from '#src/platform/errors.ts'
import { mayBeVerified } from './email-verified.ts'
import { InvalidToken } from './session.ts'

export interface GatewayUser {
  email: string
  /** Unix seconds. */
  exp: number
}

export interface Gateway {
  /** The header that carries the gateway's JWT, in lower case. */
  readonly header: string
  /**
   * Verifies the JWT and returns its user.
   * @throws InvalidToken
   * @throws Unavailable when the gateway's keys cannot be fetched
   */
  verify(token: string): Promise<GatewayUser>
}

interface Timing {
  /** How long fetched keys are cached. */
  keysTtlMs: number
  /** The minimum time between two fetches that unknown keys cause. */
  cooldownMs: number
}

/** Only asymmetric algorithms: with a shared secret, the public key could sign tokens. */
const ALGORITHMS = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512', 'EdDSA']
const FETCH_TIMEOUT_MS = 5000
const MAX_TOKEN_LENGTH = 16 * 1024
const MAX_CACHED_TOKENS = 5000
/** How long a verified token is accepted although its key may have been revoked. */
const TOKEN_TTL_MS = 60_000
/** How long cached keys are used while they cannot be fetched again. */
const MAX_STALE_KEYS_MS = 6 * 3600_000
/** How long to wait after a failed fetch before trying again. */
const RETRY_DELAY_MS = 2000
/** Google's documentation allows for this difference between clocks. */
const CLOCK_SKEW_SECONDS = 30

/**
 * Verifies the JWT that an access gateway adds to requests, such as Cloudflare Access (`Cf-Access-Jwt-Assertion`) or
 * Google's Identity-Aware Proxy (`X-Goog-IAP-JWT-Assertion`), against the gateway's published keys, its issuer and
 * our audience.
 */
export function createGateway(
  { jwksUrl, issuer, audience, header }: GatewayConfig,
  { keysTtlMs, cooldownMs }: Timing = { keysTtlMs: 600_000, cooldownMs: 30_000 },
): Gateway {
  const cachedKeys: { jwks?: JSONWebKeySet; uat?: number } = {}
  const keys = createRemoteJWKSet(new URL(jwksUrl), {
    cacheMaxAge: keysTtlMs,
    cooldownDuration: cooldownMs,
    timeoutDuration: FETCH_TIMEOUT_MS,
    [jwksCache]: cachedKeys as Record<string, never>,
  })
  const verified = new LRUCache<string, GatewayUser>({ max: MAX_CACHED_TOKENS, ttl: TOKEN_TTL_MS })
  let retryAt = 0

  const claims = async (token: string, from: JWTVerifyGetKey): Promise<JWTPayload> => {
    const options = {
      algorithms: ALGORITHMS,
      issuer,
      audience,
      requiredClaims: ['exp'],
      clockTolerance: CLOCK_SKEW_SECONDS,
    }
    try {
      return (await jwtVerify(token, from, options)).payload
    } catch (error) {
      throw isInvalid(error) ? new InvalidToken(reason(error), { cause: error }) : error
    }
  }

  /** Verifies the token with the cached keys when fetching them fails. */
  const claimsOffline = (token: string, cause?: unknown): Promise<JWTPayload> => {
    if (cachedKeys.jwks && cachedKeys.uat && Date.now() - cachedKeys.uat < MAX_STALE_KEYS_MS)
      return claims(token, createLocalJWKSet(cachedKeys.jwks))
    throw new Unavailable("The access gateway's keys cannot be fetched (GATEWAY_JWKS_URL).", { cause })
  }

  const claimsNow = async (token: string): Promise<JWTPayload> => {
    if (Date.now() < retryAt) return claimsOffline(token)
    return claims(token, keys).catch((error) => {
      if (error instanceof InvalidToken) throw error
      retryAt = Date.now() + RETRY_DELAY_MS
      return claimsOffline(token, error)
    })
  }
  return {
    header,
    verify: async (token) => {
      const cached = verified.get(token)
      if (cached && cached.exp * 1000 > Date.now()) return cached
      if (token.length > MAX_TOKEN_LENGTH) throw new InvalidToken('It is too long.')
      const { email, email_verified, exp } = await claimsNow(token)
      if (typeof email !== 'string' || email === '') throw new InvalidToken('It has no email address.')
      // Gateways that send no claim pass on verified addresses only.
      if (!mayBeVerified(email_verified)) throw new InvalidToken('Its email address is not verified.')
      const user = { email, exp: exp as number }
      verified.set(token, user)
      return user
    },
  }
}

/** Whether the token is invalid, as opposed to a failure to fetch the keys. */
const isInvalid = (error: unknown): error is Error =>
  error instanceof errors.JOSEError &&
  !(error instanceof errors.JWKSTimeout || error instanceof errors.JWKSInvalid) &&
  error.code !== 'ERR_JOSE_GENERIC'

function reason(error: Error): string {
  if (error instanceof errors.JWTExpired) return 'It has expired.'
  if (error instanceof errors.JWTClaimValidationFailed)
    return `Its claim ${error.claim} does not have the expected value.`
  if (error instanceof errors.JWKSNoMatchingKey) return "It is not signed with one of the gateway's keys."
  return 'It is not a valid gateway token.'
}
