import { randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Config } from '#src/platform/config/config.ts'

const CALLERS_REQUEST_ID = /^[A-Za-z0-9._:-]{1,128}$/

/** The caller's `X-Request-Id` where it is harmless, else one of our own. */
export function requestId(request: IncomingMessage): string {
  const given = request.headers['x-request-id']
  return typeof given === 'string' && CALLERS_REQUEST_ID.test(given) ? given : randomUUID()
}

/** The security headers that each response carries (contract, section 5). */
export const securityHeaders = (config: Pick<Config, 'production'>): Record<string, string> => ({
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'x-xss-protection': '1; mode=block',
  'referrer-policy': 'strict-origin-when-cross-origin',
  ...(config.production ? { 'strict-transport-security': 'max-age=31536000' } : {}),
})

/** Sets the headers that every answer carries. */
export function policyHeaders(config: Pick<Config, 'production'>) {
  const headers = securityHeaders(config)
  return (request: FastifyRequest, reply: FastifyReply): void => {
    reply.headers(headers).header('x-request-id', request.id)
  }
}
