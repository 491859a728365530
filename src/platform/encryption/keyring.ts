import { createSecretKey, hkdfSync, type KeyObject } from 'node:crypto'
import { base64url, CompactEncrypt, compactDecrypt, decodeProtectedHeader } from 'jose'
import type { EncryptionConfig } from '#src/platform/config/encryption.ts'

const ALGORITHMS = { alg: 'dir', enc: 'A256GCM' } as const
const ACCEPTED = {
  keyManagementAlgorithms: [ALGORITHMS.alg],
  contentEncryptionAlgorithms: [ALGORITHMS.enc],
}
const DAMAGED = 'A stored secret was changed or moved, and cannot be decrypted.'
const KEY_BYTES = 32
const ID_BYTES = 8
const ID = /^[\w-]{1,64}$/

/** A stored secret that cannot be read. The message says why, and for a key that is not set, which setting needs it. */
export class CannotOpen extends Error {}

/**
 * The keys that seal stored secrets. A sealed value is a JWE in compact form (RFC 7516: `dir`, AES-256-GCM), whose header
 * names the key. It opens only in the context that it was sealed in, such as its row: each context has a key of its own,
 * derived with HKDF-SHA-256.
 */
export class Keyring {
  /** Identifies the key that seals. It reveals nothing of the key. */
  readonly currentId: string
  /** The ids of the keys that only open. */
  readonly previousIds: readonly string[]
  readonly #current: KeyObject
  readonly #keys: ReadonlyMap<string, KeyObject>

  /** @param previous keys that only open */
  constructor(current: KeyObject, previous: readonly KeyObject[] = []) {
    this.#current = current
    this.currentId = idOf(current)
    this.#keys = new Map([current, ...previous].map((key) => [idOf(key), key]))
    this.previousIds = [...this.#keys.keys()].filter((id) => id !== this.currentId)
  }

  /**
   * Encrypts a secret.
   * @param context where it is stored; it opens nowhere else
   */
  seal(secret: string, context: string): Promise<string> {
    return new CompactEncrypt(new TextEncoder().encode(secret))
      .setProtectedHeader(headerOf(this.currentId))
      .encrypt(contextKey(this.#current, context))
  }

  /**
   * Decrypts a sealed secret.
   * @throws CannotOpen if its key is not set, it was changed, or it was sealed in another context
   */
  async open(sealed: string, context: string): Promise<string> {
    const id = keyIdOf(sealed)
    if (id === undefined) throw new CannotOpen(DAMAGED)
    const key = this.#keys.get(id)
    if (!key) throw new CannotOpen(missingKey([id]))
    try {
      const { plaintext } = await compactDecrypt(sealed, contextKey(key, context), ACCEPTED)
      return new TextDecoder().decode(plaintext)
    } catch (cause) {
      throw new CannotOpen(DAMAGED, { cause })
    }
  }
}

/**
 * The keys of this service. Unless `ENCRYPTION_KEY` is set, the session secrets take its place, so that an upgrade needs no
 * new setting and all processes agree. Values that were sealed before it was set still open.
 * @param sessionSecrets newest first, at least one
 */
export function createKeyring(
  { key, previousKeys }: EncryptionConfig,
  sessionSecrets: readonly string[],
): Keyring {
  const derived = sessionSecrets.map((secret) =>
    derive(createSecretKey(Buffer.from(secret)), 'deal-pipeline: stored secrets', KEY_BYTES),
  )
  const [current, ...others] = key ? [key, ...derived] : derived
  return new Keyring(current as KeyObject, [...previousKeys, ...others])
}

/** Says which settings need the keys with these ids. */
export const missingKey = (ids: readonly string[]): string =>
  `The key that a stored secret was encrypted with is not set (${ids.join(', ')}). Add the previous ENCRYPTION_KEY to ENCRYPTION_PREVIOUS_KEYS; if none was set, add the previous SESSION_SECRET after the present one.`

/** The id of the key that sealed a value; undefined if it is none. */
export function keyIdOf(sealed: string): string | undefined {
  try {
    const { kid } = decodeProtectedHeader(sealed)
    return kid !== undefined && ID.test(kid) ? kid : undefined
  } catch {
    return undefined
  }
}

const headerOf = (kid: string) => ({ ...ALGORITHMS, kid })
/** How the values begin that a key has sealed. */
export const prefixOf = (id: string): string => `${base64url.encode(JSON.stringify(headerOf(id)))}.`

const idOf = (key: KeyObject): string =>
  base64url.encode(derive(key, 'deal-pipeline: id of a key', ID_BYTES).export())

const contextKey = (key: KeyObject, context: string): KeyObject =>
  derive(key, `deal-pipeline: sealed in ${context}`, KEY_BYTES)

/** The inputs are random enough to need no salt (RFC 5869, section 3.1). */
const derive = (key: KeyObject, info: string, bytes: number): KeyObject =>
  createSecretKey(new Uint8Array(hkdfSync('sha256', key, '', info, bytes)))
