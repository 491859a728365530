import { fromUUIDBytes, type TypeId, toUUIDBytes, typeidUnboxed } from 'typeid-js'

export type IdPrefix =
  | 'cmp'
  | 'th'
  | 'df'
  | 'per'
  | 'note'
  | 'dec'
  | 'tsk'
  | 'file'
  | 'act'
  | 'evt'
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
  | 'ntf'
  | 'mail'

/**
 * A new TypeID: the prefix, `_`, and a UUIDv7 in 26 characters of Crockford's base32. IDs from one process sort in
 * creation order.
 */
export const newId = (prefix: IdPrefix): string => typeidUnboxed(prefix)

/** The IDs of records. */
export const idsOf = (records: readonly { id: string }[]): string[] => records.map(({ id }) => id)

/** When an ID was created, to the millisecond: a UUIDv7 begins with the Unix time (RFC 9562, section 5.7). */
export const idTime = (id: string): Date =>
  new Date(Buffer.from(toUUIDBytes(id as TypeId<string>)).readUIntBE(0, 6))

/** The ID with the same suffix and another prefix, such as the action that belongs to an import. */
export const siblingId = (prefix: IdPrefix, id: string): string =>
  `${prefix}_${id.slice(id.lastIndexOf('_') + 1)}`

/** The lowest ID of this time, to compare with: the prefix and the ten characters that encode the time. */
export function firstIdAt(prefix: IdPrefix, time: Date): string {
  const bytes = Buffer.alloc(16)
  bytes.writeUIntBE(Math.max(0, time.getTime()), 0, 6)
  return idFromBytes(prefix, bytes).slice(0, `${prefix}_`.length + 10)
}

/** The pattern of IDs with this prefix, for JSON Schema. */
export const idPattern = (prefix: IdPrefix): string => `^${prefix}_[0-7][0-9a-hjkmnp-tv-z]{25}$`

/** An ID made of 16 bytes. */
export const idFromBytes = (prefix: IdPrefix, bytes: Uint8Array): string => fromUUIDBytes(prefix, bytes)
