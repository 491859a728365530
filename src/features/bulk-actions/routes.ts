import type { FastifyPluginCallbackTypebox } from '@fastify/type-provider-typebox'
import type { FastifyRequest } from 'fastify'
import type { Context } from '#src/context.ts'
import { Forbidden, found, Unauthenticated } from '#src/platform/errors.ts'
import { sendData, sendEvents, sendPage } from '#src/platform/http/replies.ts'
import { pageOf } from '#src/platform/schema/shapes.ts'
import { createBulkAction, retryBulkAction } from './actions.ts'
import { progressEvents } from './events.ts'
import { patchBulkAction } from './patch.ts'
import { getBulkActionReadiness } from './readiness-schema.ts'
import { applyResults } from './results.ts'
import * as schema from './schema.ts'
import * as store from './store.ts'
import { readReadiness, waitsOf } from './waiting.ts'
import { readWork } from './work.ts'
import * as workSchema from './work-schema.ts'

/** Bytes; holds a batch of vectors as JSON. */
const RESULTS_LIMIT = 32 * 1024 * 1024

export const bulkActionRoutes =
  (context: Context): FastifyPluginCallbackTypebox =>
  (app, _options, done) => {
    const { config, db } = context
    const waits = waitsOf(config)
    const stop = new AbortController()
    app.addHook('preClose', (next) => {
      stop.abort()
      next()
    })
    const read = async (id: string) => found(await store.readBulkAction(db, id, waits), 'bulk action', id)

    app.route({
      ...schema.createBulkAction,
      handler: async ({ body, user }, reply) =>
        sendData(reply.code(201), await read(await createBulkAction(context, user, body))),
    })

    app.route({
      ...schema.listBulkActions,
      handler: async ({ query, user }, reply) => {
        if (!user)
          throw new Unauthenticated(
            'Sign in to list your own bulk actions. In development, X-User-Email is enough.',
          )
        return sendPage(reply, pageOf(query), await store.listBulkActions(db, user.email, query, waits))
      },
    })

    app.route({
      ...getBulkActionReadiness,
      handler: async () => ({ data: await readReadiness(context) }),
    })

    app.route({
      ...schema.getBulkAction,
      handler: async ({ params: { id } }, reply) => sendData(reply, await read(id)),
    })

    app.route({
      ...schema.updateBulkAction,
      handler: async ({ params: { id }, body, user }, reply) => {
        await patchBulkAction(context, user, id, body)
        return sendData(reply, await read(id))
      },
    })

    app.route({
      ...schema.retryBulkAction,
      handler: async ({ params: { id }, user }, reply) => {
        await retryBulkAction(context, user, id)
        return sendData(reply, await read(id))
      },
    })

    app.route({
      ...schema.listBulkActionCompanies,
      handler: async ({ params: { id }, query }, reply) => {
        await read(id)
        return sendPage(reply, pageOf(query), await store.listCompanies(db, id, query))
      },
    })

    app.route({
      ...schema.getBulkActionEvents,
      handler: async ({ params: { id }, raw }, reply) => {
        await read(id)
        const gone = new AbortController()
        raw.once('close', () => gone.abort())
        const events = progressEvents(
          () => store.readBulkAction(db, id, waits),
          AbortSignal.any([stop.signal, gone.signal]),
        )
        return sendEvents(reply, events)
      },
    })

    app.route({
      ...workSchema.getBulkActionWork,
      onRequest: refuseUsers,
      handler: async ({ params: { id }, query }) => ({
        data: await readWork(context, id, query.company_ids.split(',')),
      }),
    })

    app.route({
      ...workSchema.postBulkActionResults,
      bodyLimit: RESULTS_LIMIT,
      onRequest: refuseUsers,
      handler: async ({ params: { id }, body }, reply) => {
        if (body.results.length > 0) await applyResults(context, id, body.results)
        if (body.waiting_for !== undefined) await store.setWaitingFor(db, id, body.waiting_for)
        return sendData(reply, await read(id))
      },
    })

    done()
  }

async function refuseUsers({ user }: FastifyRequest): Promise<void> {
  if (!user?.isWorker) throw new Forbidden('Only the worker may do this, with a worker token.')
}
