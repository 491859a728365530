import type { FastifyInstance } from 'fastify'
import { Type } from 'typebox'
import { type EndpointSchema, Strict } from '#src/platform/schema/shapes.ts'
import { isLimited } from './routes.ts'

/** A mistyped parameter must not be passed over, whether a route has parameters or not. */
export function refuseUnknownParameters(app: FastifyInstance): void {
  app.addHook('onRoute', (route) => {
    if (isLimited(route.url)) route.schema = { querystring: NO_PARAMETERS, ...route.schema }
  })
}

const NO_PARAMETERS = Strict(Type.Object({}))

/** A body without a `Content-Type` is JSON, unless the route takes files. */
export function acceptJsonWithoutContentType(app: FastifyInstance): void {
  app.addHook('onRequest', ({ raw: { headers }, routeOptions }, _reply, done) => {
    const hasBody = headers['transfer-encoding'] !== undefined || Number(headers['content-length']) > 0
    const { consumes } = (routeOptions.schema ?? {}) as EndpointSchema
    if (hasBody && !headers['content-type'] && !consumes) headers['content-type'] = 'application/json'
    done()
  })
}

const API = '/api/'

/** The address without slashes at the end of a path of the API. No pattern: on many slashes one takes seconds. */
export function withoutTrailingSlash(url: string): string {
  if (!url.startsWith(API)) return url
  const query = url.indexOf('?')
  const end = query === -1 ? url.length : query
  let last = end
  while (last > API.length && url[last - 1] === '/') last--
  return url.slice(0, last) + url.slice(end)
}
