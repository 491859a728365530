import type { FastifyPluginCallbackTypebox } from '@fastify/type-provider-typebox'
import type { Context } from '#src/context.ts'
import { cancelable } from '#src/platform/database/cancel.ts'
import { orNotFound } from '#src/platform/errors.ts'
import { disconnectSignal } from '#src/platform/http/disconnect.ts'
import { sendData, sendPage } from '#src/platform/http/replies.ts'
import { pageOf } from '#src/platform/schema/shapes.ts'
import * as actions from './action-schema.ts'
import { listActions, readAction } from './read-actions.ts'
import * as schema from './schema.ts'
import * as store from './store.ts'

export const activityRoutes =
  ({ db, filterCaller, longDb }: Context): FastifyPluginCallbackTypebox =>
  (app, _options, done) => {
    app.route({
      ...schema.listActivity,
      handler: async ({ query, user }, reply) => {
        // Counting what matches a filter takes as long as the log is.
        const reading = cancelable(query.filter ? longDb : db, disconnectSignal(reply))
        const page = await store.listActivity(reading, user, filterCaller(user), query)
        return sendPage(reply, pageOf(query), page)
      },
    })

    app.route({
      ...schema.getActivity,
      handler: async ({ params: { id }, user }, reply) =>
        sendData(reply, orNotFound(await store.readActivity(db, user, id), 'activity record', id)),
    })

    app.route({
      ...actions.listActions,
      handler: async ({ query, user }, reply) => {
        const reading = cancelable(db, disconnectSignal(reply))
        return sendPage(reply, pageOf(query), await listActions(reading, user, query))
      },
    })

    app.route({
      ...actions.getAction,
      handler: async ({ params: { id }, user }, reply) =>
        sendData(reply, orNotFound(await readAction(db, user, id), 'action', id)),
    })
    done()
  }
