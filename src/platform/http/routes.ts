import type { EndpointSchema } from '#src/platform/schema/shapes.ts'

/** Routes for programs on the same network, which do not need https. */
export const PROBES = new Set(['/healthz', '/readyz'])

/** Whether a route needs no user in production and ignores invalid credentials. */
export const isOpen = (route: string, schema: unknown): boolean =>
  !isLimited(route) || (schema as EndpointSchema | undefined)?.['x-open'] === true

/** Whether a route is rate limited and may require a user. */
export const isLimited = (route: string): boolean => /^\/(?:api|assets)(?:\/|$)/.test(route)
