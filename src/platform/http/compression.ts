import compress from '@fastify/compress'
import type { FastifyInstance } from 'fastify'

/** Smaller responses fit in one packet anyway. */
const MIN_COMPRESSED_BYTES = 1024

/** Besides these, types that are known to be compressible, such as SVG. An event stream is sent as it comes. */
const isCompressed = (type: string): boolean =>
  /^application\/(?:[^;]*\+)?json\b|^text\/(?!event-stream)/.test(type)

/**
 * Compresses responses for clients that accept Brotli or gzip (RFC 9110, section 12.5.3). Compressed request bodies
 * are still refused: a few bytes could become gigabytes.
 */
export const registerCompression = (app: FastifyInstance) =>
  app.register(compress, {
    encodings: ['br', 'gzip'],
    threshold: MIN_COMPRESSED_BYTES,
    customTypes: isCompressed,
    globalDecompression: false,
  })
