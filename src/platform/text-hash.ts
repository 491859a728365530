import { createHash } from 'node:crypto'

/** A hash of a text, to detect whether it has changed since it was indexed. */
export const textHash = (text: string): string => createHash('sha256').update(text).digest('base64url')
