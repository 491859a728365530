import type { FastifyPluginCallbackTypebox } from '@fastify/type-provider-typebox'
import type { Context } from '#src/context.ts'
import { found } from '#src/platform/errors.ts'
import { sendData, sendPage } from '#src/platform/http/replies.ts'
import { pageOf } from '#src/platform/schema/shapes.ts'
import * as schema from './schema.ts'
import * as store from './store.ts'

export const activityRoutes =
  ({ db }: Context): FastifyPluginCallbackTypebox =>
  (app, _options, done) => {
    app.route({
      ...schema.listActivity,
      handler: async ({ query, user }, reply) =>
        sendPage(reply, pageOf(query), await store.listActivity(db, user, query)),
    })

    app.route({
      ...schema.getActivity,
      handler: async ({ params: { id } }, reply) =>
        sendData(reply, found(await store.readActivity(db, id), 'activity record', id)),
    })
    done()
  }
