import type { Hash } from 'node:crypto'
import { MIMEType } from 'node:util'

/**
 * Hashes the body of a form without its boundaries, which are random: a client that repeats a form chooses others.
 * @param contentType that of the request
 */
export function bodyHasher(hash: Hash, contentType = ''): { update(chunk: Buffer): void; end(): void } {
  const boundary = Buffer.from(boundaryOf(contentType))
  if (boundary.length === 0) return { update: (chunk) => void hash.update(chunk), end: () => {} }
  let rest: Buffer = Buffer.alloc(0)
  return {
    update(chunk) {
      let bytes = rest.length > 0 ? Buffer.concat([rest, chunk]) : chunk
      for (let at = bytes.indexOf(boundary); at >= 0; at = bytes.indexOf(boundary)) {
        hash.update(bytes.subarray(0, at))
        bytes = bytes.subarray(at + boundary.length)
      }
      // The next chunk may go on with a boundary that begins here.
      const kept = Math.min(bytes.length, boundary.length - 1)
      hash.update(bytes.subarray(0, bytes.length - kept))
      rest = Buffer.from(bytes.subarray(bytes.length - kept))
    },
    end: () => void hash.update(rest),
  }
}

function boundaryOf(contentType: string): string {
  try {
    const type = new MIMEType(contentType)
    return type.essence === 'multipart/form-data' ? (type.params.get('boundary') ?? '') : ''
  } catch {
    return ''
  }
}
