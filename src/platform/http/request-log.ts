import type { FastifyReply, FastifyRequest } from 'fastify'
import { refusalReason } from './error-handler.ts'
import { isCounted } from './outage-log.ts'

/** Logs a request in one line, with the reason of a 401 or 403. Those of an outage share lines. */
export function logRequest(request: FastifyRequest, reply: FastifyReply, isWhole: boolean): void {
  if (isCounted(request)) return
  const { method, url } = request
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
    `${method} ${url.split('?', 1)[0]}${status ? ` ${status}` : ''}${isWhole ? '' : ', cut off'}`,
  )
}
