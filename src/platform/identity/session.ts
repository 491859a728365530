import { hkdfSync } from 'node:crypto'
import { type CryptoKey, EncryptJWT, errors, type JWTPayload, jwtDecrypt, jwtVerify, SignJWT } from 'jose'
import { LRUCache } from 'lru-cache'
import { printable } from '#src/platform/errors.ts'

/** Seconds that a session lasts (contract, section 8). */
export const SESSION_SECONDS = 7 * 24 * 60 * 60

/** What a session token says of its user (contract, section 2), without `iat` and `exp`. */
export interface Claims {
  /** The subject at the identity provider. */
  sub: string
  email: string
  name?: string | undefined
  /** An address. */
  picture?: string | undefined
}

export interface Session extends Claims {
  /** Unix seconds. */
  iat: number
  exp: number
}

/** Thrown for a token that is not valid; its message is a sentence for a person. */
export class InvalidToken extends Error {}

export interface Sessions {
  /** A signed token of these claims, valid from now. */
  sign(claims: Claims, seconds?: number): Promise<string>
  /** @throws InvalidToken */
  verify(token: string): Promise<Session>
  /** An encrypted token that only `open` with the same purpose takes, and `verify` never does. */
  seal(purpose: string, content: JWTPayload, seconds: number): Promise<string>
  /** What was sealed; `undefined` when the token is not ours or too old. */
  open(purpose: string, token: string): Promise<JWTPayload | undefined>
}

/** Browsers keep no longer cookie. */
const MAX_TOKEN_LENGTH = 4096
const REMEMBERED_TOKENS = 5000
const CLOCK_SKEW_SECONDS = 5

const unixNow = () => Math.floor(Date.now() / 1000)

/**
 * The sessions of these secrets: JWTs signed with HS256 (RFC 7519, RFC 7518 section 3.2). The first secret signs,
 * all verify, so that secrets can be changed without signing anyone out.
 */
export function createSessions(secrets: readonly string[]): Sessions {
  const keys = secrets.map(signingKey)
  // A signature takes a twentieth of a millisecond to verify, so what was verified is remembered; time is checked each time.
  const verified = new LRUCache<string, Session>({ max: REMEMBERED_TOKENS })

  return {
    sign: async ({ sub, email, name, picture }, seconds = SESSION_SECONDS) => {
      const iat = unixNow()
      return new SignJWT({ sub, email, name, picture, iat, exp: iat + seconds })
        .setProtectedHeader({ alg: 'HS256', typ: 'JWT' })
        .sign((await keys[0]) as CryptoKey)
    },

    verify: async (token) => {
      const known = verified.get(token)
      if (known) {
        if (known.exp > unixNow()) return known
        throw new InvalidToken(EXPIRED)
      }
      if (token.length > MAX_TOKEN_LENGTH)
        throw new InvalidToken('It is too long to be a token of this service.')
      const session = asSession(await verifySignature(token, keys))
      verified.set(token, session)
      return session
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
      const options = { algorithms: ['HS256'], requiredClaims: ['sub', 'email', 'iat', 'exp'] }
      return (await jwtVerify(token, await key, options)).payload
    } catch (error) {
      if (error instanceof errors.JWSSignatureVerificationFailed) continue
      if (error instanceof errors.JWTExpired) throw new InvalidToken(EXPIRED, { cause: error })
      throw new InvalidToken('It is not a valid token of this service.', { cause: error })
    }
  }
  throw new InvalidToken('Its signature is not one of this service.')
}

function asSession({ sub, email, name, picture, iat, exp }: JWTPayload): Session {
  if (typeof email !== 'string' || email === '' || !sub) throw new InvalidToken('It names no user.')
  if ((iat as number) > unixNow() + CLOCK_SKEW_SECONDS) throw new InvalidToken('It is not valid yet.')
  const text = (claim: unknown) => (typeof claim === 'string' && printable(claim).trim()) || undefined
  return { sub, email, name: text(name), picture: text(picture), iat: iat as number, exp: exp as number }
}

/** Imported once: with the secret's bytes every verification would import them again. */
const signingKey = (secret: string): Promise<CryptoKey> =>
  crypto.subtle.importKey('raw', new TextEncoder().encode(secret), { name: 'HMAC', hash: 'SHA-256' }, false, [
    'sign',
    'verify',
  ])

/** A key for one purpose, so that what is sealed for it is good for nothing else (RFC 5869). */
const sealingKey = (secret: string, purpose: string) =>
  new Uint8Array(hkdfSync('sha256', secret, '', `deal-pipeline ${purpose}`, 32))
