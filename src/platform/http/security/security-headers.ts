import { randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Config } from '#src/platform/config/config.ts'

const SAFE_REQUEST_ID = /^[A-Za-z0-9._:-]{1,128}$/

/** The client's `X-Request-Id` if it is safe, else a generated one. */
export function requestId(request: IncomingMessage): string {
  const input = request.headers['x-request-id']
  return typeof input === 'string' && SAFE_REQUEST_ID.test(input) ? input : randomUUID()
}

/**
 * The security headers of every response: those of the contract (section 5) and stricter ones. Pages replace the content
 * security policy with their own. CORS requests are not subject to `cross-origin-resource-policy`.
 */
export const securityHeaders = (config: Pick<Config, 'production'>): Record<string, string> => ({
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'x-xss-protection': '1; mode=block',
  'referrer-policy': 'strict-origin-when-cross-origin',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'permissions-policy': 'camera=(), display-capture=(), geolocation=(), microphone=(), payment=(), usb=()',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  ...(config.production ? { 'strict-transport-security': 'max-age=31536000' } : {}),
})

/** Returns a function that sets the headers of every response. */
export function policyHeaders(config: Pick<Config, 'production'>) {
  const headers = securityHeaders(config)
  return (request: FastifyRequest, reply: FastifyReply): void => {
    reply.headers(headers).header('x-request-id', request.id)
  }
}
