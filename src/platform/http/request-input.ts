import type { FastifyInstance } from 'fastify'
import { Type } from 'typebox'
import { InvalidInput, UnsupportedEncoding } from '#src/platform/errors.ts'
import { shown } from '#src/platform/schema/describe-error.ts'
import { type EndpointSchema, Strict } from '#src/platform/schema/shapes.ts'
import { isLimited } from './routes.ts'

/** Rejects unknown query parameters on every API route, so that a typo is not silently ignored. */
export function rejectUnknownParameters(app: FastifyInstance): void {
  app.addHook('onRoute', (route) => {
    if (isLimited(route.url)) route.schema = { querystring: NO_PARAMETERS, ...route.schema }
  })
}

const NO_PARAMETERS = Strict(Type.Object({}))

/** Rejects parameters that cannot be decoded, which the parser would leave as they are. */
export function rejectMalformedParameters(app: FastifyInstance): void {
  app.addHook('preValidation', ({ raw: { url = '' }, routeOptions }, _reply, done) => {
    const { querystring } = (routeOptions.schema ?? {}) as {
      querystring?: { additionalProperties?: boolean }
    }
    // Others ignore what they do not know, such as the texts of an identity provider.
    const isStrict = querystring?.additionalProperties === false
    const malformed = isStrict ? malformedParameter(url.slice(url.indexOf('?') + 1)) : undefined
    if (malformed === undefined) return done()
    done(
      new InvalidInput(
        `${shown(malformed)} in the query must be percent-encoded UTF-8: % itself is written as %25, and é as %C3%A9.`,
      ),
    )
  })
}

function malformedParameter(query: string): string | undefined {
  if (!query.includes('%')) return undefined
  return query.split('&').find((parameter) => {
    try {
      decodeURIComponent(parameter)
      return false
    } catch {
      return true
    }
  })
}

/** Treats a body without a `Content-Type` as JSON, unless the route accepts files. */
export function acceptJsonWithoutContentType(app: FastifyInstance): void {
  app.addHook('onRequest', ({ raw: { headers }, routeOptions }, _reply, done) => {
    const hasBody = headers['transfer-encoding'] !== undefined || Number(headers['content-length']) > 0
    const { consumes } = (routeOptions.schema ?? {}) as EndpointSchema
    if (hasBody && !headers['content-type'] && !consumes) headers['content-type'] = 'application/json'
    done()
  })
}

/** Refuses bodies in a `Content-Encoding` (RFC 9110, section 8.4): a small one may decompress to any size. */
export function rejectCompressedBodies(app: FastifyInstance): void {
  app.addHook('preParsing', ({ method, headers }, reply, _payload, done) => {
    const encoding = headers['content-encoding'] ?? 'identity'
    // The body of a GET is not read.
    if (method === 'GET' || method === 'HEAD' || encoding.toLowerCase() === 'identity') return done()
    // Tells clients what is accepted (RFC 9110, section 12.5.3).
    reply.header('accept-encoding', 'identity')
    done(
      new UnsupportedEncoding(
        `The body must not be compressed. Send it without Content-Encoding: ${shown(encoding)}.`,
      ),
    )
  })
}

const API = '/api/'

/** Removes trailing slashes from an API path. Not a regular expression: it would take seconds on many slashes. */
export function withoutTrailingSlash(url: string): string {
  if (!url.startsWith(API)) return url
  const query = url.indexOf('?')
  const end = query === -1 ? url.length : query
  let last = end
  while (last > API.length && url[last - 1] === '/') last--
  return url.slice(0, last) + url.slice(end)
}
