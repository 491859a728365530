import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { FreeSpace } from '#src/platform/process/free-space.ts'
import type { EndpointSchema } from '#src/platform/schema/shapes.ts'

const SAFE_METHODS = new Set(['GET', 'HEAD', 'OPTIONS'])

/** Refuses requests that write while the disk of the database is nearly full. Reading continues. */
export function refuseWritesOnFullDisk(app: FastifyInstance, freeSpace: FreeSpace | undefined): void {
  if (!freeSpace) return
  app.addHook('onRequest', (request, _reply, done) => {
    if (mayWrite(request)) freeSpace.check()
    done()
  })
}

/** A path without a route stays a 404. */
function mayWrite({ method, routeOptions: { url, schema } }: FastifyRequest): boolean {
  return (
    !SAFE_METHODS.has(method) &&
    url !== undefined &&
    (schema as Partial<EndpointSchema> | undefined)?.['x-reads-only'] !== true
  )
}
