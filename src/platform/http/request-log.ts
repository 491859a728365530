import type { FastifyReply, FastifyRequest } from 'fastify'
import type { EndpointSchema } from '#src/platform/schema/shapes.ts'
import { refusalReason } from './error-handler.ts'
import { isCounted } from './outage-log.ts'

/** Logs a request in one line, with the reason of a 401 or 403. Those of an outage share lines. */
export function logRequest(request: FastifyRequest, reply: FastifyReply, isWhole: boolean): void {
  if (isCounted(request)) return
  const { method } = request
  const status = isWhole || reply.raw.headersSent ? reply.statusCode : undefined
  request.log.info(
    {
      method,
      route: request.routeOptions.url,
      status,
      milliseconds: Math.round(reply.elapsedTime * 10) / 10,
      user: request.user?.email,
      address: request.ip,
      reason: refusalReason(request),
    },
    `${method} ${loggedPath(request)}${status ? ` ${status}` : ''}${isWhole ? '' : ', cut off'}`,
  )
}

/** The path without its parameters, which may be personal. Of a path with a secret, the route. */
function loggedPath({ url, routeOptions }: FastifyRequest): string {
  const schema = routeOptions.schema as Partial<EndpointSchema> | undefined
  return (schema?.['x-secret-path'] && routeOptions.url) || (url.split('?', 1)[0] as string)
}
