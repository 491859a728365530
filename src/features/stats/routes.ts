import type { FastifyPluginCallbackTypebox } from '@fastify/type-provider-typebox'
import type { Context } from '#src/context.ts'
import { cancelable } from '#src/platform/database/cancel.ts'
import { disconnectSignal } from '#src/platform/http/disconnect.ts'
import { sendPage } from '#src/platform/http/replies.ts'
import { pageOf } from '#src/platform/schema/shapes.ts'
import { readPipelineStats } from './pipeline.ts'
import { getPipelineStats } from './pipeline-schema.ts'
import * as schema from './schema.ts'
import { getSourceStats } from './source-schema.ts'
import { readSourceStats } from './sources.ts'
import * as store from './store.ts'

export const statsRoutes =
  ({ db }: Context): FastifyPluginCallbackTypebox =>
  (app, _options, done) => {
    app.route({ ...schema.getStats, handler: async () => ({ data: await store.readStats(db) }) })
    app.route({
      ...schema.getWeeklyStats,
      handler: async () => ({ data: await store.readWeeklyStats(db) }),
    })
    app.route({ ...getPipelineStats, handler: async () => ({ data: await readPipelineStats(db) }) })
    app.route({
      ...getSourceStats,
      handler: async ({ query }, reply) => {
        const reading = cancelable(db, disconnectSignal(reply))
        return sendPage(reply, pageOf(query), await readSourceStats(reading, query))
      },
    })
    done()
  }
