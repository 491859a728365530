import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Authorize } from '#src/platform/identity/authorize.ts'
import type { EndpointSchema } from '#src/platform/schema/shapes.ts'
import { isLimited, isOpen } from '../routes.ts'

/**
 * Fails at startup for a route under `/api` or `/assets` that neither names the action it needs permission for
 * (`x-action`) nor is open to everyone (`x-open`).
 */
export function rejectRoutesWithoutAction(app: FastifyInstance): void {
  app.addHook('onRoute', ({ url, method, schema }) => {
    if (isLimited(url) && !isOpen(url, schema) && actionOf(schema) === undefined)
      throw new Error(`${method} ${url} must have x-action or x-open in its schema.`)
  })
}

/** @throws MissingPermission, or Unauthenticated without a user where roles are enforced */
export function requirePermission({ user, routeOptions }: FastifyRequest, authorize: Authorize): void {
  const action = actionOf(routeOptions.schema)
  if (action) authorize(user, action)
}

const actionOf = (schema: unknown) => (schema as Partial<EndpointSchema> | undefined)?.['x-action']
