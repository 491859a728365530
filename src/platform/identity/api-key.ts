import { createHash, randomBytes } from 'node:crypto'
import { crc32 } from 'node:zlib'

/** Every key starts with this, so that people and secret scanners recognize it. */
export const KEY_PREFIX = 'dp_'

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
/** 30 characters of base 62 are 178 random bits. */
const RANDOM_LENGTH = 30
const CHECKSUM_LENGTH = 6
const KEY = new RegExp(`^${KEY_PREFIX}([0-9A-Za-z]{${RANDOM_LENGTH}})([0-9A-Za-z]{${CHECKSUM_LENGTH}})$`)
/** Characters of a key that are shown in lists, the prefix included. */
const SHOWN_LENGTH = 8

/** A new API key in GitHub's format: prefix, random characters, and the CRC-32 of these in base 62. */
export function newKey(): string {
  const random = randomCharacters(RANDOM_LENGTH)
  return KEY_PREFIX + random + checksum(random)
}

/** Whether the text has the form and checksum of a key. Mistyped and made-up keys are refused without a lookup. */
export function isKey(text: string): boolean {
  const [, random, sum] = KEY.exec(text) ?? []
  return random !== undefined && checksum(random) === sum
}

/** What is stored of a key. A key is random enough that its hash needs no salt. */
export const hashKey = (key: string): string => createHash('sha256').update(key).digest('hex')

/** The start of a key, which tells keys apart in lists. */
export const shownPrefix = (key: string): string => key.slice(0, SHOWN_LENGTH)

function checksum(text: string): string {
  let value = crc32(text)
  let digits = ''
  for (let n = 0; n < CHECKSUM_LENGTH; n++) {
    digits = ALPHABET[value % ALPHABET.length] + digits
    value = Math.floor(value / ALPHABET.length)
  }
  return digits
}

/** Bytes from 248 are dropped, because 256 is not a multiple of 62: each character is equally likely. */
function randomCharacters(length: number): string {
  let text = ''
  while (text.length < length)
    for (const byte of randomBytes(2 * length))
      if (byte < 4 * ALPHABET.length && text.length < length) text += ALPHABET[byte % ALPHABET.length]
  return text
}
