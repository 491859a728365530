import type { Readable } from 'node:stream'
import { promisify } from 'node:util'
import { brotliDecompress, gunzip, inflate } from 'node:zlib'
import { firstBytes } from '#src/platform/network/read-limited.ts'

/** Such objects are read whole, because their length is unknown. */
const MAX_BYTES = 256 * 1024 * 1024

/** `aws-chunked` describes an upload, and some stores keep it. */
const PLAIN = new Set(['', 'identity', 'aws-chunked'])
const decodeGzip = promisify(gunzip)
const DECODERS: Record<string, (content: Buffer, limit: { maxOutputLength: number }) => Promise<Buffer>> = {
  gzip: decodeGzip,
  'x-gzip': decodeGzip,
  deflate: promisify(inflate),
  br: promisify(brotliDecompress),
}

/** The part of an answer that says how a proxy between the service and the store has compressed the object. */
interface Encoded {
  ContentEncoding?: string | undefined
}

const encodingsOf = ({ ContentEncoding = '' }: Encoded): string[] =>
  ContentEncoding.toLowerCase()
    .split(',')
    .map((name) => name.trim())
    .filter((name) => !PLAIN.has(name))

/** Whether the object was compressed on the way, so that the answer's length and range are not the object's. */
export const isEncoded = (answer: Encoded): boolean => encodingsOf(answer).length > 0

/**
 * Reads an object, decompressed.
 * @throws Error if the encoding is unknown, or the object is larger than 256 MB
 */
export async function readContent(answer: Encoded, body: Readable): Promise<Buffer> {
  const decoders = encodingsOf(answer).reverse().map(decoderOf)
  let content = await firstBytes({ body }, MAX_BYTES + 1)
  if (content.length > MAX_BYTES)
    throw new Error(`The store sent an object of more than ${MAX_BYTES} bytes without its length.`)
  for (const decode of decoders) content = await decode(content, { maxOutputLength: MAX_BYTES })
  return content
}

function decoderOf(name: string) {
  const decode = DECODERS[name]
  if (!decode) throw new Error(`The store sent an object with the unknown content encoding ${name}.`)
  return decode
}
