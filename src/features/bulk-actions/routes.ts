import type { FastifyPluginCallbackTypebox } from '@fastify/type-provider-typebox'
import type { Context } from '#src/context.ts'
import { orNotFound, Unauthenticated } from '#src/platform/errors.ts'
import { MAX_FILTER_BODY_BYTES } from '#src/platform/filter/schema.ts'
import { callerOf } from '#src/platform/http/limits/rate-limits.ts'
import { sendData, sendEvents, sendPage } from '#src/platform/http/replies.ts'
import { isStillAllowed, openUntil } from '#src/platform/identity/identity.ts'
import { pageOf } from '#src/platform/schema/shapes.ts'
import { createBulkAction, previewBulkAction, retryBulkAction, stopBulkAction } from './actions.ts'
import * as schema from './endpoint-schema.ts'
import { ProgressStreams } from './events.ts'
import { patchBulkAction } from './patch.ts'
import { getBulkActionReadiness } from './readiness-schema.ts'
import { applyResults } from './results.ts'
import * as store from './store.ts'
import { blockReasons, readReadiness } from './waiting.ts'
import { readWork } from './work.ts'
import * as workSchema from './work-schema.ts'

/** Bytes; holds a batch of vectors as JSON. */
const MAX_RESULTS_BYTES = 32 * 1024 * 1024

export const bulkActionRoutes =
  (context: Context): FastifyPluginCallbackTypebox =>
  (app, _options, done) => {
    const { config, db } = context
    const reasons = blockReasons(config)
    const source = {
      readVersions: (ids: string[]) => store.readVersions(db, ids),
      readActions: (ids: string[]) => store.readBulkActions(db, ids, reasons),
    }
    const streams = new ProgressStreams(source, context.eventStreams)
    const read = async (id: string) =>
      orNotFound(await store.readBulkAction(db, id, reasons), 'bulk action', id)

    app.route({
      ...schema.createBulkAction,
      bodyLimit: MAX_FILTER_BODY_BYTES,
      handler: async (request, reply) =>
        sendData(reply.code(201), await read(await createBulkAction(context, request, request.body))),
    })

    app.route({
      ...schema.previewBulkAction,
      bodyLimit: MAX_FILTER_BODY_BYTES,
      handler: async ({ body, user }) => ({ data: await previewBulkAction(context, user, body) }),
    })

    app.route({
      ...schema.listBulkActions,
      handler: async ({ query, user }, reply) => {
        if (!user)
          throw new Unauthenticated(
            'Sign in to list your own bulk actions. In development, X-User-Email is enough.',
          )
        return sendPage(reply, pageOf(query), await store.listBulkActions(db, user.email, query, reasons))
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
      handler: async ({ params: { id }, user, ip }, reply) => {
        const subscription = {
          ...{ id, caller: callerOf(user, ip), expires: openUntil(user) },
          isAllowed: () => isStillAllowed(context, user, 'read'),
        }
        return sendEvents(reply, streams.open(subscription, await read(id)))
      },
    })

    app.route({
      ...workSchema.getBulkActionWork,
      handler: async ({ params: { id }, query }) => ({
        data: await readWork(context, id, query.company_ids.split(',')),
      }),
    })

    app.route({
      ...workSchema.postBulkActionResults,
      bodyLimit: MAX_RESULTS_BYTES,
      handler: async ({ params: { id }, body }, reply) => {
        const { results, usage, stopped_for, attempt } = body
        if (results.length > 0) await applyResults(context, id, results, attempt)
        if (usage) await store.addUsage(db, id, [usage])
        if (stopped_for !== undefined) await stopBulkAction(context, id, stopped_for, attempt)
        if (body.waiting_for !== undefined) await store.setWaitingFor(db, id, body.waiting_for)
        return sendData(reply, await read(id))
      },
    })

    done()
  }
