import type { EndpointSchema } from '#src/platform/schema/shapes.ts'

/** What programs on the same network ask, who need no https. */
export const PROBES = new Set(['/healthz', '/readyz', '/metrics'])

/** Whether a route answers without a user in production, and whatever credential comes with the request. */
export const isOpen = (route: string, schema: unknown): boolean =>
  !isLimited(route) || (schema as EndpointSchema | undefined)?.['x-open'] === true

/** Whether a route counts for the rate limits and may need a user. */
export const isLimited = (route: string): boolean => /^\/(?:api|assets)(?:\/|$)/.test(route)
