import { typeidUnboxed } from 'typeid-js'

export type IdPrefix =
  | 'cmp'
  | 'th'
  | 'df'
  | 'act'
  | 'imp'
  | 'ba'
  | 'fb'
  | 'key'
  | 'ses'
  | 'aud'
  | 'ax'
  | 'dup'
  | 'view'
  | 'fld'
  | 'opt'

const BASE32 = '0123456789abcdefghjkmnpqrstvwxyz'

/**
 * A new TypeID: the prefix, `_`, and a UUIDv7 in 26 characters of Crockford's base32. IDs from one process sort in
 * creation order.
 */
export const newId = (prefix: IdPrefix): string => typeidUnboxed(prefix)

/** The IDs of records. */
export const idsOf = (records: readonly { id: string }[]): string[] => records.map(({ id }) => id)

/**
 * When an ID was created, to the millisecond. The first ten characters of a TypeID suffix encode two zero bits and
 * the 48-bit Unix time in milliseconds of the UUIDv7 (RFC 9562, section 5.7).
 */
export function idTime(id: string): Date {
  const suffix = id.slice(id.lastIndexOf('_') + 1)
  let milliseconds = 0
  for (const character of suffix.slice(0, 10)) milliseconds = milliseconds * 32 + BASE32.indexOf(character)
  return new Date(milliseconds)
}

/** The ID with the same suffix and another prefix, such as the action that belongs to an import. */
export const siblingId = (prefix: IdPrefix, id: string): string =>
  `${prefix}_${id.slice(id.lastIndexOf('_') + 1)}`

/** The lowest ID of this time, to compare with. */
export function firstIdAt(prefix: IdPrefix, time: Date): string {
  let digits = ''
  for (let rest = Math.max(0, time.getTime()), n = 0; n < 10; n++, rest = Math.floor(rest / 32))
    digits = BASE32[rest % 32] + digits
  return `${prefix}_${digits}`
}

/** The pattern of IDs with this prefix, for JSON Schema. */
export const idPattern = (prefix: IdPrefix): string => `^${prefix}_[0-7][0-9a-hjkmnp-tv-z]{25}$`

/** An id made of 16 bytes. */
export function idFromBytes(prefix: IdPrefix, bytes: Uint8Array): string {
  let number = BigInt(`0x${Buffer.from(bytes).toString('hex')}`)
  let suffix = ''
  for (let n = 0; n < 26; n++, number /= 32n) suffix = BASE32[Number(number % 32n)] + suffix
  return `${prefix}_${suffix}`
}
