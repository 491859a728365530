import { MIMEType } from 'node:util'
import type { FastifyInstance } from 'fastify'
import { InvalidInput } from '#src/platform/errors.ts'
import { shown } from '#src/platform/schema/describe-error.ts'
import { hasLongInteger, parseExactJson, withExactIntegers } from '#src/platform/schema/exact-json.ts'
import { hasFreeJson } from '#src/platform/schema/free-json.ts'
import { isDeeperThan } from '#src/platform/schema/json-depth.ts'
import { MAX_DEPTH } from '#src/platform/schema/unstorable.ts'

/** Deeper bodies are refused unparsed: parsing many levels takes several times as long as other JSON. */
const MAX_PARSED_DEPTH = 100

/** The parser refuses keys that could change the prototype of an object. */
const FORBIDDEN_KEYS = 'The body must not contain the key __proto__, or the key prototype within constructor.'

declare module 'fastify' {
  interface FastifyRequest {
    /** The text of the body, if it may have integers that a number cannot represent. */
    exactBody: string | undefined
  }
}

/**
 * Parses JSON bodies, which must be UTF-8 (RFC 8259, section 8.1). An empty one is accepted on routes without a body
 * schema, whatever its Content-Type. Integers in fields of free JSON keep their digits; the schemas limit all other
 * numbers.
 */
export function parseJsonBodies(app: FastifyInstance): void {
  const parse = app.getDefaultJsonParser('error', 'error')
  app.decorateRequest('exactBody', undefined)
  app.removeContentTypeParser('application/json')
  const keepsDigits = digitKeeper()
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (request, bytes, done) => {
    const body = decode(bytes as Buffer, request.headers['content-type'])
    if (body instanceof InvalidInput) return done(body)
    const schema = (request.routeOptions.schema as { body?: object } | undefined)?.body
    if (body === '' && schema === undefined) return done(null, undefined)
    if (isDeeperThan(MAX_PARSED_DEPTH, body))
      return done(new InvalidInput(`The body is nested deeper than ${MAX_DEPTH} levels.`))
    parse(request, body, (error, parsed) => {
      if (!error && keepsDigits(schema) && hasLongInteger(body)) request.exactBody = body
      done(error && isJson(body) ? new InvalidInput(FORBIDDEN_KEYS) : error, parsed)
    })
  })
  app.addHook('preHandler', (request, _reply, done) => {
    if (request.exactBody !== undefined)
      request.body = withExactIntegers(request.body, parseExactJson(request.exactBody))
    done()
  })
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

const utf8 = new TextDecoder('utf-8', { fatal: true })

/** The text of a body without its byte order mark, or the error of its encoding. */
function decode(bytes: Buffer, contentType = ''): string | InvalidInput {
  const charset = charsetOf(contentType)
  if (charset && !/^utf-?8$/i.test(charset))
    return new InvalidInput(`The charset of the Content-Type must be utf-8, not ${shown(charset)}.`)
  try {
    return utf8.decode(bytes)
  } catch {
    return new InvalidInput('The body must be UTF-8. It has bytes that are not.')
  }
}

/** Fastify accepts some types that the standard does not; they declare no charset. */
function charsetOf(contentType: string): string | null {
  try {
    return new MIMEType(contentType).params.get('charset')
  } catch {
    return null
  }
}

/** Parsing with all digits takes up to sixty times as long, so it is done only for valid bodies that may need them. */
function digitKeeper(): (schema: object | undefined) => boolean {
  const known = new WeakMap<object, boolean>()
  return (schema) => {
    if (schema === undefined) return false
    const keeps = known.get(schema) ?? hasFreeJson(schema)
    known.set(schema, keeps)
    return keeps
  }
}
