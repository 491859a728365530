import { randomBytes } from 'node:crypto'

const PATTERN = 'erased-[0-9a-f]{16}@users\\.invalid'

/** Replaces the email address of an erased person. `.invalid` is reserved (RFC 2606), so no one can sign in with it. */
export const PSEUDONYM = new RegExp(`^${PATTERN}$`)

/** A random pseudonym: it cannot be computed from the address. */
export const newPseudonym = (): string => `erased-${randomBytes(8).toString('hex')}@users.invalid`

/** All pseudonyms in a text. */
export const pseudonymsIn = (text: string): Set<string> => new Set(text.match(new RegExp(PATTERN, 'g')))
