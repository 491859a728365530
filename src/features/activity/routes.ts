import type { FastifyPluginCallbackTypebox } from '@fastify/type-provider-typebox'
import type { Context } from '#src/context.ts'
import { sendPage } from '#src/platform/http/replies.ts'
import { pageOf } from '#src/platform/schema/shapes.ts'
import * as schema from './schema.ts'
import * as store from './store.ts'

export const activityRoutes =
  ({ db }: Context): FastifyPluginCallbackTypebox =>
  (app, _options, done) => {
    app.route({
      ...schema.listActivity,
      handler: async ({ query }, reply) =>
        sendPage(reply, pageOf(query), await store.listActivity(db, query)),
    })
    done()
  }
