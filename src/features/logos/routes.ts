import type { FastifyPluginCallbackTypebox } from '@fastify/type-provider-typebox'
import fresh from 'fresh'
import type { Context } from '#src/context.ts'
import { orTrashed } from '#src/features/trash/index.ts'
import { NotFound } from '#src/platform/errors.ts'
import * as schema from './schema.ts'
import { readLogo } from './store.ts'

const WEEK_SECONDS = 604_800

/** Serves logos. They are small, so the database holds them. */
export const logoRoutes =
  ({ db }: Pick<Context, 'db'>): FastifyPluginCallbackTypebox =>
  (app, _options, done) => {
    app.route({
      ...schema.getLogo,
      handler: async ({ params: { id }, query: { v }, headers }, reply) => {
        const logo = await orTrashed(db, await readLogo(db, id), 'company', id)
        if (!logo) throw new NotFound(`The company ${id} has no logo.`)
        const etag = `"${logo.version}"`
        reply.header('etag', etag)
        // The address without a version shows the present logo.
        const isVersioned = v === logo.version
        reply.header('cache-control', isVersioned ? `private, max-age=${WEEK_SECONDS}` : 'private, no-cache')
        const condition = { 'if-none-match': headers['if-none-match'] }
        if (condition['if-none-match'] && fresh(condition, { etag })) return reply.code(304).send(null)
        return reply.type('image/png').send(logo.png as unknown as string)
      },
    })
    done()
  }
