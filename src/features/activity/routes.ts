import type { FastifyPluginCallbackTypebox } from '@fastify/type-provider-typebox'
import type { Context } from '#src/context.ts'
import { cancelable } from '#src/platform/database/cancel.ts'
import { orNotFound } from '#src/platform/errors.ts'
import { disconnectSignal } from '#src/platform/http/disconnect.ts'
import { sendData, sendPage } from '#src/platform/http/replies.ts'
import { pageOf } from '#src/platform/schema/shapes.ts'
import { listActions, readAction } from './action.ts'
import * as actions from './action-schema.ts'
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
        const page = await store.listActivity(reading, filterCaller(user), query)
        return sendPage(reply, pageOf(query), page)
      },
    })

    app.route({
      ...schema.getActivity,
      handler: async ({ params: { id } }, reply) =>
        sendData(reply, orNotFound(await store.readActivity(db, id), 'activity record', id)),
    })

    app.route({
      ...actions.listActions,
      handler: async ({ query }, reply) => {
        const reading = cancelable(db, disconnectSignal(reply))
        return sendPage(reply, pageOf(query), await listActions(reading, query))
      },
    })

    app.route({
      ...actions.getAction,
      handler: async ({ params: { id } }, reply) =>
        sendData(reply, orNotFound(await readAction(db, id), 'action', id)),
    })
    done()
  }
