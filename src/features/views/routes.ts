import type { FastifyPluginCallbackTypebox } from '@fastify/type-provider-typebox'
import type { Context } from '#src/context.ts'
import { cancelable } from '#src/platform/database/cancel.ts'
import { orNotFound } from '#src/platform/errors.ts'
import { MAX_FILTER_BODY_BYTES } from '#src/platform/filter/schema.ts'
import { disconnectSignal } from '#src/platform/http/disconnect.ts'
import { sendPage } from '#src/platform/http/replies.ts'
import { requireUser } from '#src/platform/identity/require-user.ts'
import { pageOf } from '#src/platform/schema/shapes.ts'
import * as schema from './endpoint-schema.ts'
import { markSeen } from './mark-seen.ts'
import { listNewRecords } from './new-records.ts'
import * as settings from './settings.ts'
import { parseMoment } from './snapshot.ts'
import * as store from './store.ts'

export const viewRoutes =
  ({ db, filterCaller, longDb }: Context): FastifyPluginCallbackTypebox =>
  (app, _options, done) => {
    app.route({
      ...schema.listViews,
      handler: async ({ query, user }, reply) =>
        sendPage(reply, pageOf(query), await store.listViews(db, user, query)),
    })

    app.route({
      ...schema.getView,
      handler: async ({ params: { id }, user }) => ({
        data: orNotFound(await store.readView(db, user, id), 'view', id),
      }),
    })

    app.route({
      ...schema.createView,
      bodyLimit: MAX_FILTER_BODY_BYTES,
      handler: async ({ body, user }, reply) => {
        const viewer = requireUser(user)
        const view = await store.insertView(db, viewer, body)
        await markSeen(db, view, filterCaller(viewer))
        reply.code(201)
        return { data: view }
      },
    })

    app.route({
      ...schema.updateView,
      bodyLimit: MAX_FILTER_BODY_BYTES,
      handler: async ({ params: { id }, body, headers, user }) => {
        const updated = await store.updateView(db, requireUser(user), id, body, headers['if-match'])
        return { data: orNotFound(updated, 'view', id) }
      },
    })

    app.route({
      ...schema.deleteView,
      handler: async ({ params: { id }, headers, user }, reply) => {
        orNotFound(await store.deleteView(db, requireUser(user), id, headers['if-match']), 'view', id)
        return reply.code(204).send(null)
      },
    })

    app.route({
      ...schema.orderViews,
      handler: async ({ body: { entity, view_ids }, user }) => ({
        data: await settings.orderViews(db, requireUser(user), entity, view_ids),
      }),
    })

    app.route({
      ...schema.setDefaultView,
      handler: async ({ body: { entity, view_id }, user }) => ({
        data: await settings.setDefaultView(db, requireUser(user), entity, view_id),
      }),
    })

    app.route({
      ...schema.listNewRecords,
      handler: async ({ params: { id }, query, user }, reply) => {
        const viewer = requireUser(user)
        const view = orNotFound(await store.readView(db, viewer, id), 'view', id)
        const reading = cancelable(longDb, disconnectSignal(reply))
        const caller = filterCaller(viewer)
        const { records, total, ...since } = await listNewRecords(reading, view, caller, pageOf(query))
        return sendPage(reply, pageOf(query), { records, total }, since)
      },
    })

    app.route({
      ...schema.markViewSeen,
      handler: async ({ params: { id }, query: { until }, user }) => {
        const viewer = requireUser(user)
        const moment = until === undefined ? undefined : parseMoment(until)
        const view = orNotFound(await store.readView(db, viewer, id), 'view', id)
        return { data: await markSeen(db, view, filterCaller(viewer), moment) }
      },
    })

    done()
  }
