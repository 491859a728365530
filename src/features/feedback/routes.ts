import type { FastifyPluginCallbackTypebox } from '@fastify/type-provider-typebox'
import type { Context } from '#src/context.ts'
import { orNotFound } from '#src/platform/errors.ts'
import { sendData, sendPage } from '#src/platform/http/replies.ts'
import { pageOf } from '#src/platform/schema/shapes.ts'
import * as schema from './schema.ts'
import * as store from './store.ts'
import { retryFeedback, submitFeedback } from './submission.ts'

export const feedbackRoutes =
  (context: Context): FastifyPluginCallbackTypebox =>
  (app, _options, done) => {
    const { db } = context

    app.route({
      ...schema.submitFeedback,
      handler: async ({ body, headers, user }, reply) =>
        reply.code(201).send(await submitFeedback(context, user, body, headers['idempotency-key'])),
    })

    app.route({
      ...schema.listFeedback,
      handler: async ({ query }, reply) =>
        sendPage(reply, pageOf(query), await store.listFeedback(db, query)),
    })

    app.route({
      ...schema.getFeedback,
      handler: async ({ params: { id } }, reply) =>
        sendData(reply, orNotFound(await store.readFeedback(db, id), 'feedback', id)),
    })

    app.route({
      ...schema.retryFeedback,
      handler: async ({ params: { id } }, reply) => {
        await retryFeedback(context, id)
        return sendData(reply, orNotFound(await store.readFeedback(db, id), 'feedback', id))
      },
    })

    done()
  }
