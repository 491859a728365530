import { createHash } from 'node:crypto'

/** Tells whether a text is still the one that was indexed. */
export const textHash = (text: string): string => createHash('sha256').update(text).digest('base64url')
