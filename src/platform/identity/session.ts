import { hkdfSync } from 'node:crypto'
import { type CryptoKey, EncryptJWT, errors, type JWTPayload, jwtDecrypt, jwtVerify, SignJWT } from 'jose'
import { LRUCache } from 'lru-cache'
import { printable } from '#src/platform/errors.ts'

/** The lifetime of a session, in seconds (contract, section 8). */
export const SESSION_SECONDS = 7 * 24 * 60 * 60

/** The claims of a session token (contract, section 2), without `iat` and `exp`. */
export interface Claims {
  /** The user's ID at the identity provider. */
  sub: string
  email: string
  name?: string | undefined
  /** A URL. */
  picture?: string | undefined
  /** The id of the session's record; tokens without one cannot be ended alone. */
  jti?: string | undefined
}

export interface Session extends Claims {
  /** Unix seconds. */
  iat: number
  exp: number
}

/** Thrown for an invalid token. The message is a full sentence. */
export class InvalidToken extends Error {}

export interface Sessions {
  /** Signs a token with these claims, valid from now. */
  sign(claims: Claims, seconds?: number): Promise<string>
  /**
   * Synchronous for a token that was verified before.
   * @throws InvalidToken
   */
  verify(token: string): Session | Promise<Session>
  /** Encrypts a token. Only `open` with the same purpose accepts it; `verify` never does. */
  seal(purpose: string, content: JWTPayload, seconds: number): Promise<string>
  /** Decrypts a sealed token. Returns `undefined` if it is expired or not ours. */
  open(purpose: string, token: string): Promise<JWTPayload | undefined>
}

/** The maximum size of a cookie in browsers. */
const MAX_TOKEN_LENGTH = 4096
const MAX_CACHED_TOKENS = 5000
/** How far the clocks of the processes that sign and verify a token may differ. */
const CLOCK_SKEW_SECONDS = 60

const unixNow = () => Math.floor(Date.now() / 1000)

/**
 * Sessions as JWTs signed with HS256 (RFC 7519, RFC 7518 section 3.2). The first secret signs and all verify, so
 * secrets can be rotated without signing anyone out.
 */
export function createSessions(secrets: readonly string[]): Sessions {
  const keys = secrets.map(signingKey)
  // Verifying a signature takes 0.05 ms, so verified tokens are cached. Expiry is checked on every call.
  const verified = new LRUCache<string, Session>({ max: MAX_CACHED_TOKENS })
  const verifyNew = async (token: string): Promise<Session> => {
    if (token.length > MAX_TOKEN_LENGTH) throw new InvalidToken('It is too long.')
    const session = asSession(await verifySignature(token, keys))
    verified.set(token, session)
    return session
  }

  return {
    sign: async ({ sub, email, name, picture, jti }, seconds = SESSION_SECONDS) => {
      const iat = unixNow()
      return new SignJWT({ sub, email, name, picture, jti, iat, exp: iat + seconds })
        .setProtectedHeader({ alg: 'HS256', typ: 'JWT' })
        .sign((await keys[0]) as CryptoKey)
    },

    verify: (token) => {
      const cached = verified.get(token)
      if (!cached) return verifyNew(token)
      if (cached.exp > unixNow() - CLOCK_SKEW_SECONDS) return cached
      throw new InvalidToken(EXPIRED)
    },

    seal: (purpose, content, seconds) =>
      new EncryptJWT(content)
        .setProtectedHeader({ alg: 'dir', enc: 'A256GCM' })
        .setExpirationTime(unixNow() + seconds)
        .encrypt(sealingKey(secrets[0] as string, purpose)),

    open: async (purpose, token) => {
      for (const secret of secrets) {
        const opened = await jwtDecrypt(token, sealingKey(secret, purpose)).catch(() => undefined)
        if (opened) return opened.payload
      }
      return undefined
    },
  }
}

const EXPIRED = 'It has expired.'

async function verifySignature(token: string, keys: Promise<CryptoKey>[]): Promise<JWTPayload> {
  for (const key of keys) {
    try {
      const options = {
        algorithms: ['HS256'],
        requiredClaims: ['sub', 'email', 'iat', 'exp'],
        clockTolerance: CLOCK_SKEW_SECONDS,
      }
      return (await jwtVerify(token, await key, options)).payload
    } catch (error) {
      if (error instanceof errors.JWSSignatureVerificationFailed) continue
      if (error instanceof errors.JWTExpired) throw new InvalidToken(EXPIRED, { cause: error })
      throw new InvalidToken('It was not issued by this service.', { cause: error })
    }
  }
  throw new InvalidToken('Its signature was not made by this service.')
}

function asSession({ sub, email, name, picture, jti, iat, exp }: JWTPayload): Session {
  if (typeof email !== 'string' || email === '' || !sub) throw new InvalidToken('It has no user.')
  if ((iat as number) > unixNow() + CLOCK_SKEW_SECONDS) throw new InvalidToken('It is not valid yet.')
  const text = (claim: unknown) => (typeof claim === 'string' && printable(claim).trim()) || undefined
  const claims = { sub, email, name: text(name), picture: text(picture), ...(jti ? { jti } : {}) }
  return { ...claims, iat: iat as number, exp: exp as number }
}

/** Imported once: with raw bytes, every verification would import the key again. */
const signingKey = (secret: string): Promise<CryptoKey> =>
  crypto.subtle.importKey('raw', new TextEncoder().encode(secret), { name: 'HMAC', hash: 'SHA-256' }, false, [
    'sign',
    'verify',
  ])

/** Derives a separate key for each purpose (RFC 5869). */
const sealingKey = (secret: string, purpose: string) =>
  new Uint8Array(hkdfSync('sha256', secret, '', `deal-pipeline ${purpose}`, 32))
