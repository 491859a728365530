import type { FastifyInstance } from 'fastify'
import { InvalidInput } from '#src/platform/errors.ts'
import { hasLongInteger, parseExactJson, withExactIntegers } from '#src/platform/schema/exact-json.ts'
import { hasFreeJson } from '#src/platform/schema/free-json.ts'
import { isDeeperThan } from '#src/platform/schema/json-depth.ts'
import { MAX_DEPTH } from '#src/platform/schema/unstorable.ts'

/** The fault of a body of fewer levels names the field. Parsing many levels takes several times as long as other JSON. */
const MAX_PARSED_DEPTH = 100

declare module 'fastify' {
  interface FastifyRequest {
    /** The text of the body, if it may have integers that a number cannot represent. */
    exactBody: string | undefined
  }
}

/**
 * Parses JSON bodies. An empty one is accepted on routes without a body schema, whatever its Content-Type. Integers in
 * fields of free JSON keep their digits; the schemas limit all other numbers.
 */
export function parseJsonBodies(app: FastifyInstance): void {
  const parse = app.getDefaultJsonParser('error', 'error')
  app.decorateRequest('exactBody', undefined)
  app.removeContentTypeParser('application/json')
  const keepsDigits = digitKeeper()
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (request, body, done) => {
    const schema = (request.routeOptions.schema as { body?: object } | undefined)?.body
    if (body === '' && schema === undefined) return done(null, undefined)
    if (isDeeperThan(MAX_PARSED_DEPTH, body as string))
      return done(new InvalidInput(`The body is nested deeper than ${MAX_DEPTH} levels.`))
    parse(request, body as string, (error, parsed) => {
      if (!error && keepsDigits(schema) && hasLongInteger(body as string)) request.exactBody = body as string
      done(error, parsed)
    })
  })
  app.addHook('preHandler', (request, _reply, done) => {
    if (request.exactBody !== undefined)
      request.body = withExactIntegers(request.body, parseExactJson(request.exactBody))
    done()
  })
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
