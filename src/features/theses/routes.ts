import type { FastifyPluginCallbackTypebox } from '@fastify/type-provider-typebox'
import type { Context } from '#src/context.ts'
import { newAction, readHistory } from '#src/features/activity/index.ts'
import { orTrashed } from '#src/features/trash/index.ts'
import { cancelable } from '#src/platform/database/cancel.ts'
import { disconnectSignal } from '#src/platform/http/disconnect.ts'
import { sendData, sendNothing, sendPage } from '#src/platform/http/replies.ts'
import { pageOf } from '#src/platform/schema/shapes.ts'
import { createThesis } from './create.ts'
import { deleteThesis } from './remove.ts'
import * as schema from './schema.ts'
import * as store from './store.ts'
import { updateThesis } from './update.ts'

export const thesisRoutes =
  ({ db, filterCaller }: Context): FastifyPluginCallbackTypebox =>
  (app, _options, done) => {
    app.route({
      ...schema.listTheses,
      handler: async ({ query, user }, reply) => {
        const reading = cancelable(db, disconnectSignal(reply))
        const page = await store.listTheses(reading, filterCaller(user), query)
        return sendPage(reply, pageOf(query), page)
      },
    })

    app.route({
      ...schema.getThesis,
      handler: async ({ params: { id } }, reply) =>
        sendData(reply, await orTrashed(db, await store.readThesis(db, id), 'thesis', id)),
    })

    app.route({
      ...schema.getThesisHistory,
      handler: async ({ params: { id }, query }, reply) => {
        await orTrashed(db, await store.readThesis(db, id), 'thesis', id)
        const reading = cancelable(db, disconnectSignal(reply))
        return sendPage(reply, pageOf(query), await readHistory(reading, id, query.field, pageOf(query)))
      },
    })

    app.route({
      ...schema.createThesis,
      handler: async ({ body, user }, reply) => {
        const action = newAction('create', user)
        return sendData(reply.code(201), await createThesis(db, action, body), action.id)
      },
    })

    app.route({
      ...schema.updateThesis,
      handler: async ({ params: { id }, body, headers, user }, reply) => {
        const action = newAction('update', user)
        const { thesis, isChanged } = await updateThesis(db, action, id, body, headers['if-match'])
        return sendData(reply, thesis, isChanged ? action.id : undefined)
      },
    })

    app.route({
      ...schema.deleteThesis,
      handler: async ({ params: { id }, user }, reply) => {
        const action = newAction('delete', user)
        await orTrashed(db, await deleteThesis(db, action, id), 'thesis', id)
        return sendNothing(reply, action.id)
      },
    })

    done()
  }
