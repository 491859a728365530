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
   * The e-mail address of whom the gateway has signed in.
   * @throws InvalidToken
   * @throws Unavailable when the gateway's keys cannot be fetched
   */
  verify(token: string): Promise<GatewayUser>
}

interface Timing {
  /** After which time the keys are fetched again. */
  keysLastMs: number
  /** How soon after a fetch an unknown key may cause another. */
  betweenFetchesMs: number
}

/** Signatures by a key pair only: with a shared secret the public keys would be as good as the private ones. */
const ALGORITHMS = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512', 'EdDSA']
const FETCH_TIMEOUT_MS = 5000
const MAX_TOKEN_LENGTH = 16 * 1024
const REMEMBERED_TOKENS = 5000
/** For so long a token that was verified is good although its key may have been withdrawn. */
const REMEMBERED_MS = 60_000
/** So long keys that cannot be fetched again are still good, */
const HELD_KEYS_MS = 6 * 3600_000
/** and so long nobody waits for keys after they could not be fetched. */
const SILENCE_MS = 2000
/** Clocks differ; Google's documentation allows as much. */
const CLOCK_SKEW_SECONDS = 30

/**
 * Verifies the JWT that an access gateway puts into a header, such as Cloudflare Access
 * (`Cf-Access-Jwt-Assertion`) or Google's Identity-Aware Proxy (`X-Goog-IAP-JWT-Assertion`), against the gateway's
 * published keys, its issuer and our audience.
 */
export function createGateway(
  { jwksUrl, issuer, audience, header }: GatewayConfig,
  { keysLastMs, betweenFetchesMs }: Timing = { keysLastMs: 600_000, betweenFetchesMs: 30_000 },
): Gateway {
  const held: { jwks?: JSONWebKeySet; uat?: number } = {}
  const keys = createRemoteJWKSet(new URL(jwksUrl), {
    cacheMaxAge: keysLastMs,
    cooldownDuration: betweenFetchesMs,
    timeoutDuration: FETCH_TIMEOUT_MS,
    [jwksCache]: held as Record<string, never>,
  })
  const verified = new LRUCache<string, GatewayUser>({ max: REMEMBERED_TOKENS, ttl: REMEMBERED_MS })
  let silentUntil = 0

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
      throw isRefusal(error) ? new InvalidToken(reason(error), { cause: error }) : error
    }
  }

  /** By the keys that were fetched last, when they cannot be fetched now. */
  const claimsOffline = (token: string, cause?: unknown): Promise<JWTPayload> => {
    if (held.jwks && held.uat && Date.now() - held.uat < HELD_KEYS_MS)
      return claims(token, createLocalJWKSet(held.jwks))
    throw new Unavailable("The access gateway's keys cannot be fetched (GATEWAY_JWKS_URL).", { cause })
  }

  const claimsNow = async (token: string): Promise<JWTPayload> => {
    if (Date.now() < silentUntil) return claimsOffline(token)
    return claims(token, keys).catch((error) => {
      if (error instanceof InvalidToken) throw error
      silentUntil = Date.now() + SILENCE_MS
      return claimsOffline(token, error)
    })
  }
  return {
    header,
    verify: async (token) => {
      const known = verified.get(token)
      if (known && known.exp * 1000 > Date.now()) return known
      if (token.length > MAX_TOKEN_LENGTH) throw new InvalidToken('It is too long.')
      const { email, email_verified, exp } = await claimsNow(token)
      if (typeof email !== 'string' || email === '') throw new InvalidToken('It names no e-mail address.')
      if (email_verified === false) throw new InvalidToken('Its e-mail address is not verified.')
      const user = { email, exp: exp as number }
      verified.set(token, user)
      return user
    },
  }
}

/** Whether the token is at fault, and not the way to the keys. */
const isRefusal = (error: unknown): error is Error =>
  error instanceof errors.JOSEError &&
  !(error instanceof errors.JWKSTimeout || error instanceof errors.JWKSInvalid) &&
  error.code !== 'ERR_JOSE_GENERIC'

function reason(error: Error): string {
  if (error instanceof errors.JWTExpired) return 'It has expired.'
  if (error instanceof errors.JWTClaimValidationFailed)
    return `Its claim ${error.claim} is not the expected one.`
  if (error instanceof errors.JWKSNoMatchingKey) return "Its key is not one of the gateway's."
  return 'It is not a valid token of the gateway.'
}
