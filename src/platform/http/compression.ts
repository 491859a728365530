import { promisify } from 'node:util'
import zlib from 'node:zlib'
import { negotiate } from '@fastify/accept-negotiator'
import compress from '@fastify/compress'
import type { FastifyInstance, onSendHookHandler } from 'fastify'

const ENCODINGS = ['br', 'gzip'] as const
type Encoding = (typeof ENCODINGS)[number]

/** Smaller responses fit in one packet anyway. */
const MIN_COMPRESSED_BYTES = 1024
/** A page of 50 records takes 1.9 ms instead of the 4.6 ms of zlib's default, for 8 % more bytes. */
const ZLIB_OPTIONS = { level: 3 }
const BROTLI_OPTIONS = { params: { [zlib.constants.BROTLI_PARAM_QUALITY]: 4 } }

/** Besides these, types that are known to be compressible, such as SVG. An event stream is sent as it comes. */
const isCompressed = (type: string): boolean =>
  /^application\/(?:[^;]*\+)?json\b|^text\/(?!event-stream)/.test(type)

/**
 * Compresses responses for clients that accept Brotli or gzip (RFC 9110, section 12.5.3). Compressed request bodies
 * are still refused: a few bytes could become gigabytes.
 */
export async function registerCompression(app: FastifyInstance): Promise<void> {
  app.addHook('onSend', compressOnce())
  await app.register(compress, {
    encodings: [...ENCODINGS],
    threshold: MIN_COMPRESSED_BYTES,
    customTypes: isCompressed,
    zlibOptions: ZLIB_OPTIONS,
    brotliOptions: BROTLI_OPTIONS,
    globalDecompression: false,
  })
}

const COMPRESS: Record<Encoding, (body: Buffer) => Promise<Buffer>> = {
  br: (body) => promisify(zlib.brotliCompress)(body, BROTLI_OPTIONS),
  gzip: (body) => promisify(zlib.gzip)(body, ZLIB_OPTIONS),
}

/** Bytes that are sent repeatedly, such as the pages of lists that are kept in memory, are compressed once. */
function compressOnce(): onSendHookHandler<unknown> {
  const compressed = new WeakMap<Buffer, Partial<Record<Encoding, Promise<Buffer>>>>()
  return (request, reply, body, done) => {
    if (!Buffer.isBuffer(body) || body.length < MIN_COMPRESSED_BYTES || reply.statusCode !== 200)
      return done(null, body)
    const encoding = negotiate(request.headers['accept-encoding'] ?? '', [...ENCODINGS])
    if (!encoding || !isCompressed(String(reply.getHeader('content-type')))) return done(null, body)
    const byEncoding = compressed.get(body) ?? {}
    compressed.set(body, byEncoding)
    byEncoding[encoding] ??= COMPRESS[encoding](body)
    byEncoding[encoding].then(
      (bytes) => {
        reply.header('content-encoding', encoding).removeHeader('content-length')
        reply.header('vary', [reply.getHeader('vary'), 'accept-encoding'].filter(Boolean).join(', '))
        done(null, bytes)
      },
      // Without memory for it, the page is sent as it is.
      () => {
        delete byEncoding[encoding]
        done(null, body)
      },
    )
  }
}
