import type { FastifyRequest } from 'fastify'
import type { EndpointSchema } from '#src/platform/schema/shapes.ts'

/** Routes for programs on the same network, which do not need https. */
export const PROBES = new Set(['/healthz', '/readyz'])

/** Whether a route needs no user in production and ignores invalid credentials. */
export const isOpen = (route: string, schema: unknown): boolean =>
  !isLimited(route) || (schema as EndpointSchema | undefined)?.['x-open'] === true

/** Whether a route is rate limited and may require a user. */
export const isLimited = (route: string): boolean => /^\/(?:api|assets)(?:\/|$)/.test(route)

const SAFE_METHODS = new Set(['GET', 'HEAD', 'OPTIONS'])

/** Whether a request may change something. A path without a route stays a 404. */
export function mayWrite({ method, routeOptions: { url, schema } }: FastifyRequest): boolean {
  return (
    !SAFE_METHODS.has(method) &&
    url !== undefined &&
    (schema as Partial<EndpointSchema> | undefined)?.['x-reads-only'] !== true
  )
}
