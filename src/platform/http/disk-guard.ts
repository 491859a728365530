import type { FastifyInstance } from 'fastify'
import type { FreeSpace } from '#src/platform/process/free-space.ts'
import { mayWrite } from './routes.ts'

/** Refuses requests that write while the disk of the database is nearly full. Reading continues. */
export function refuseWritesOnFullDisk(app: FastifyInstance, freeSpace: FreeSpace | undefined): void {
  if (!freeSpace) return
  app.addHook('onRequest', (request, _reply, done) => {
    if (mayWrite(request)) freeSpace.check()
    done()
  })
}
