import type { FastifyInstance } from 'fastify'
import { sql } from 'kysely'
import { Type } from 'typebox'
import type { Db } from './database.ts'
import { unavailable } from './errors.ts'
import { pendingMigrations } from './migrate.ts'
import { endpoint } from './shapes.ts'
import { welcomePage } from './welcome-page.ts'

const Status = (example: string) =>
  Type.Object({ status: Type.String() }, { examples: [{ status: example }] })

const alive = endpoint('GET', '/healthz', {
  operationId: 'getHealth',
  tags: ['Operation'],
  summary: 'Whether the process is alive',
  response: { 200: Status('alive') },
})

const ready = endpoint('GET', '/readyz', {
  operationId: 'getReadiness',
  tags: ['Operation'],
  summary: 'Whether the database can be reached and its schema is up to date',
  response: { 200: Status('ready') },
})

/** Serves `/healthz`, `/readyz`, and at `/` what this is and where to go. */
export function registerHealth(app: FastifyInstance, { db, version }: { db: Db; version: string }): void {
  app.route({ ...alive, handler: async () => ({ status: 'alive' }) })

  app.route({
    ...ready,
    handler: async () => {
      await sql`select 1`.execute(db)
      const pending = await pendingMigrations(db)
      if (pending.length > 0) throw unavailable(`The database lacks these migrations: ${pending.join(', ')}.`)
      return { status: 'ready' }
    },
  })

  app.get('/', { schema: { hide: true } }, async (request, reply) => {
    const links = {
      documentation: '/docs',
      openapi: '/openapi.json',
      health: '/healthz',
      readiness: '/readyz',
    }
    if (!request.headers.accept?.includes('text/html')) return { name: 'deal-pipeline', version, ...links }
    return reply
      .type('text/html; charset=utf-8')
      .header('content-security-policy', "default-src 'none'; style-src 'unsafe-inline'")
      .send(welcomePage(version))
  })
}
