import type { IncomingMessage } from 'node:http'
import type { FastifyRequest } from 'fastify'
import type { Config } from '#src/platform/config/config.ts'
import { Forbidden, type ServiceError } from '#src/platform/errors.ts'
import { forwardedAddresses, isLoopbackAddress } from '#src/platform/network/addresses.ts'

/**
 * Whether a request came over plain HTTP: from another machine unless a trusted proxy reports https, or through a
 * proxy on this machine that does not report https.
 */
export function isPlainHttp(request: FastifyRequest): boolean {
  if (request.protocol === 'https') return false
  if (!isLoopbackAddress(request.socket.remoteAddress ?? '')) return true
  const { 'x-forwarded-proto': protocol, 'x-forwarded-for': addresses } = request.headers
  if (protocol === undefined) return addresses !== undefined
  return !/(?:^|,)\s*https\s*$/i.test(String(protocol))
}

/**
 * Replaces `X-Forwarded-For` by its addresses without ports. If the last proxy does not know its client, it is empty, and the
 * proxy counts as the client.
 */
export function keepForwardedAddresses({ headers }: IncomingMessage): void {
  const forwarded = headers['x-forwarded-for']
  if (forwarded !== undefined) headers['x-forwarded-for'] = forwardedAddresses(String(forwarded)).join(', ')
}

/** Whether a proxy that is not in `TRUST_PROXY` forwarded the request. */
export const isFromUnknownProxy = ({ headers, ips }: FastifyRequest): boolean =>
  Boolean(headers['x-forwarded-for']) && (ips?.length ?? 1) < 2

/** The same URL over https; `undefined` if the service has no https URL or the method is not safe to repeat. */
export function secureAddress(
  request: FastifyRequest,
  { publicUrl }: Pick<Config, 'publicUrl'>,
): string | undefined {
  if (!publicUrl.startsWith('https:') || !['GET', 'HEAD'].includes(request.method)) return undefined
  const path = request.url.replace(/^https?:\/\/[^/?#]*/i, '')
  return publicUrl + (path.startsWith('/') ? path : `/${path}`)
}

/** The error for a request over plain HTTP. */
export const refusePlainHttp = (request: FastifyRequest): ServiceError | undefined =>
  isPlainHttp(request)
    ? new Forbidden(
        'This service requires https. If it is behind a proxy, check that TRUST_PROXY includes the proxy and that it sends X-Forwarded-Proto.',
      )
    : undefined

/**
 * Warns once about an untrusted proxy: without `TRUST_PROXY`, all clients behind it share its address and one rate
 * limit.
 */
export function warnAboutUnknownProxy() {
  let hasWarned = false
  return (request: FastifyRequest): void => {
    if (hasWarned || !isFromUnknownProxy(request)) return
    hasWarned = true
    request.log.warn(
      { proxy: request.socket.remoteAddress },
      'ignored X-Forwarded-For from an address that TRUST_PROXY does not include',
    )
  }
}
