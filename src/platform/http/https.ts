import type { FastifyRequest } from 'fastify'
import type { Config } from '#src/platform/config/config.ts'
import { Forbidden, type ServiceError } from '#src/platform/errors.ts'
import { isThisMachine } from '#src/platform/network/addresses.ts'

/**
 * Whether a request came over plain HTTP, where somebody could read or change it on the way: from another machine
 * unless a trusted proxy says that it had it over https, or through a proxy on this machine that does not say so.
 */
export function isPlainHttp(request: FastifyRequest): boolean {
  if (request.protocol === 'https') return false
  if (!isThisMachine(request.socket.remoteAddress ?? '')) return true
  const { 'x-forwarded-proto': protocol, 'x-forwarded-for': addresses } = request.headers
  if (protocol === undefined) return addresses !== undefined
  return !/(?:^|,)\s*https\s*$/i.test(String(protocol))
}

/** Whether a proxy that `TRUST_PROXY` does not name has passed the request on. */
export const isFromUnknownProxy = ({ headers, ips }: FastifyRequest): boolean =>
  headers['x-forwarded-for'] !== undefined && (ips?.length ?? 1) < 2

/** The same address over https; `undefined` when the service has no https address or the method is not safe to repeat. */
export function secureAddress(
  request: FastifyRequest,
  { publicUrl }: Pick<Config, 'publicUrl'>,
): string | undefined {
  if (!publicUrl.startsWith('https:') || !['GET', 'HEAD'].includes(request.method)) return undefined
  const path = request.url.replace(/^https?:\/\/[^/?#]*/i, '')
  return publicUrl + (path.startsWith('/') ? path : `/${path}`)
}

/** The error for a request that came over plain HTTP. */
export const refusePlainHttp = (request: FastifyRequest): ServiceError | undefined =>
  isPlainHttp(request)
    ? new Forbidden(
        'This service answers over https only. Is the proxy before it named by TRUST_PROXY, and does it send X-Forwarded-Proto?',
      )
    : undefined

/** Without `TRUST_PROXY` all who come through a proxy have the proxy's address, and one rate limit. */
export function warnOfUnknownProxy() {
  let isTold = false
  return (request: FastifyRequest): void => {
    if (isTold || !isFromUnknownProxy(request)) return
    isTold = true
    request.log.warn(
      { proxy: request.socket.remoteAddress },
      'X-Forwarded-For came from an address that TRUST_PROXY does not name: it is not believed',
    )
  }
}
