import type { FastifyInstance } from 'fastify'
import { sql } from 'kysely'
import { Type } from 'typebox'
import type { Db } from '#src/platform/database/database.ts'
import { type Migrations, pendingMigrations } from '#src/platform/database/migrations.ts'
import { newerMigrations, type SchemaRefusal, SchemaTooNew } from '#src/platform/database/newer-schema.ts'
import { Unavailable } from '#src/platform/errors.ts'
import type { DependencyCheck } from '#src/platform/process/dependency-checks.ts'
import type { FreeSpace } from '#src/platform/process/free-space.ts'
import { version } from '#src/platform/process/version.ts'
import { endpoint } from '#src/platform/schema/shapes.ts'

const Liveness = Type.Object(
  { status: Type.String(), version: Type.String({ description: 'The version of the service.' }) },
  { examples: [{ status: 'alive', version: '0.1.0' }] },
)

const Readiness = Type.Object(
  {
    status: Type.String(),
    disks: Type.Array(
      Type.Object({
        content: Type.String({ description: 'What is stored on the disk.' }),
        free_bytes: Type.Number(),
        required_free_bytes: Type.Number({
          description: 'With less, nothing is written and reading continues.',
        }),
        problem: Type.Optional(Type.String({ description: 'Set while nothing can be written.' })),
      }),
      { description: 'The disks of this machine that the service writes to.' },
    ),
    warnings: Type.Array(Type.String(), {
      description: 'What an administrator should fix. It does not make the service unready.',
    }),
  },
  {
    examples: [
      {
        status: 'ready',
        disks: [{ content: 'the database', free_bytes: 52_428_800_000, required_free_bytes: 2_147_483_648 }],
        warnings: [],
      },
    ],
  },
)

const alive = endpoint('GET', '/healthz', {
  operationId: 'getHealth',
  'x-open': true,
  tags: ['Operation'],
  summary: 'Check whether the process is alive',
  description: 'Does not check any dependency.',
  response: { 200: Liveness },
})

const ready = endpoint('GET', '/readyz', {
  operationId: 'getReadiness',
  'x-open': true,
  tags: ['Operation'],
  summary: 'Check whether the service is ready for requests',
  description:
    'Checks that the database is reachable and migrated. Answers 503 if the tracker rejects its token or project, or the ' +
    'object storage its keys or bucket, from the start. An outage of either alone does not make the service unready, nor ' +
    'does a nearly full disk, which `disks` reports: reading continues. `warnings` reports records that cannot be purged, a ' +
    'mail server that takes no mail, a virus scanner that scans no files, and backups that are late.',
  response: { 200: Readiness },
})

interface Parts {
  db: Db
  migrations: Migrations
  /** Checks the tracker and the object storage. */
  dependencyCheck: DependencyCheck
  disks: Readonly<Record<string, FreeSpace | undefined>>
  /** What an administrator should fix. */
  warnings: () => string[]
}

/** Answers only health checks once a newer version has taken over the database. */
export function refuseWhenSchemaTooNew(app: FastifyInstance, refusal: SchemaRefusal): void {
  app.addHook('onRequest', (request, _reply, done) => {
    const isCheck = request.routeOptions.url === alive.url || request.routeOptions.url === ready.url
    if (refusal.reason !== undefined && !isCheck) throw new Unavailable(refusal.reason)
    done()
  })
}

/** The icon is a funnel. */
const ICON = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16"><path fill="#2f6f4f" d="M1 2h14l-5 6v6l-4-2V8z"/></svg>`

/** Serves `/healthz` and `/readyz`. */
export function registerHealth(
  app: FastifyInstance,
  { db, migrations, dependencyCheck, disks, warnings }: Parts,
): void {
  app.route({ ...alive, handler: async () => ({ status: 'alive', version }) })

  app.route({
    ...ready,
    handler: async () => {
      await sql`select 1`.execute(db)
      const pending = await pendingMigrations(db, migrations)
      if (pending.length > 0)
        throw new Unavailable(`The database is missing migrations: ${pending.join(', ')}.`)
      await newerMigrations(db, migrations).catch((error) => {
        throw error instanceof SchemaTooNew ? new Unavailable(error.message) : error
      })
      const problem = await dependencyCheck()
      if (problem) throw new Unavailable(problem)
      return { status: 'ready', disks: describeDisks(disks), warnings: warnings() }
    },
  })

  app.get('/favicon.ico', { schema: { hide: true } }, async (_request, reply) =>
    reply.type('image/svg+xml').header('cache-control', 'public, max-age=86400').send(ICON),
  )
}

function describeDisks(disks: Parts['disks']) {
  return Object.values(disks).flatMap((disk) => {
    const { free, required } = disk?.read() ?? {}
    if (!disk || free === undefined || required === undefined) return []
    const problem = disk.problem()
    const known = { content: disk.content, free_bytes: free, required_free_bytes: required }
    return [problem === undefined ? known : { ...known, problem }]
  })
}
