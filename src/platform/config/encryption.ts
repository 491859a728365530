import { createSecretKey, type KeyObject } from 'node:crypto'
import type { Settings } from './settings.ts'

/** The keys that encrypt stored secrets. As key objects, they are never printed by mistake. */
export interface EncryptionConfig {
  /** undefined: derived from the session secret. */
  readonly key: KeyObject | undefined
  /** Keys that only decrypt. */
  readonly previousKeys: readonly KeyObject[]
}

const KEY_BYTES = 32
const HEXADECIMAL = /^[0-9a-f]{64}$/i
const BASE64 = /^[\w+/-]{43}=?$/
/** 32 random bytes almost always have 25 to 32 different values. */
const MIN_DIFFERENT_BYTES = 16
const EXPECTED = `${KEY_BYTES} random bytes as base64 or hexadecimal text, for example from openssl rand -base64 ${KEY_BYTES}`

export function readEncryption(settings: Settings): EncryptionConfig {
  const key = settings.list('ENCRYPTION_KEY').map(parseKey)
  if (key.length > 1 || key.includes(undefined))
    settings.addError(
      'ENCRYPTION_KEY',
      `must be ${EXPECTED}. Previous keys belong in ENCRYPTION_PREVIOUS_KEYS`,
    )
  const previous = settings.list('ENCRYPTION_PREVIOUS_KEYS').map(parseKey)
  if (previous.includes(undefined))
    settings.addError(
      'ENCRYPTION_PREVIOUS_KEYS',
      `must be keys of ${EXPECTED}, separated by commas; number ${previous.indexOf(undefined) + 1} is not`,
    )
  const previousKeys = previous.filter((each) => each !== undefined)
  return Object.freeze({ key: key[0], previousKeys: Object.freeze(previousKeys) })
}

function parseKey(text: string): KeyObject | undefined {
  const encoding = HEXADECIMAL.test(text) ? 'hex' : BASE64.test(text) ? 'base64' : undefined
  if (!encoding) return undefined
  const bytes = Buffer.from(text, encoding)
  const isKey = bytes.length === KEY_BYTES && new Set(bytes).size >= MIN_DIFFERENT_BYTES
  return isKey ? createSecretKey(bytes) : undefined
}
