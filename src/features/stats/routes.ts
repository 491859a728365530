import type { FastifyPluginCallbackTypebox } from '@fastify/type-provider-typebox'
import type { Context } from '#src/context.ts'
import * as schema from './schema.ts'
import * as store from './store.ts'

export const statsRoutes =
  ({ db }: Context): FastifyPluginCallbackTypebox =>
  (app, _options, done) => {
    app.route({ ...schema.getStats, handler: async () => ({ data: await store.readStats(db) }) })
    app.route({
      ...schema.getWeeklyStats,
      handler: async () => ({ data: await store.readWeeklyStats(db) }),
    })
    done()
  }
