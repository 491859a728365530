import type { FastifyPluginCallbackTypebox } from '@fastify/type-provider-typebox'
import type { Context } from '#src/context.ts'
import { newAction, readHistory } from '#src/features/activity/index.ts'
import { orTrashed } from '#src/features/trash/index.ts'
import { cancelable } from '#src/platform/database/cancel.ts'
import { orNotFound } from '#src/platform/errors.ts'
import { disconnectSignal } from '#src/platform/http/disconnect.ts'
import { ACTION_HEADER, sendData, sendFile, sendNothing, sendPage } from '#src/platform/http/replies.ts'
import { permittedActions } from '#src/platform/identity/authorize.ts'
import { withOwner } from '#src/platform/identity/caller-filter.ts'
import { pageOf } from '#src/platform/schema/shapes.ts'
import * as bulkSchema from './bulk-change-schema.ts'
import { createDeal } from './create.ts'
import { exportDealsCsv, readExportedIds } from './export.ts'
import { exportDeals } from './export-schema.ts'
import { deleteDeal } from './remove.ts'
import * as schema from './schema.ts'
import * as stageSchema from './stage-schema.ts'
import { readStageConfig, readStages, replaceStageConfig } from './stages.ts'
import * as store from './store.ts'
import { updateDeal, updateDeals } from './update.ts'

export const dealRoutes =
  ({ audit, authorize, customFields, db, filterCaller, longDb }: Context): FastifyPluginCallbackTypebox =>
  (app, _options, done) => {
    app.route({
      ...schema.listDeals,
      handler: async ({ query, user }, reply) => {
        const reading = cancelable(db, disconnectSignal(reply))
        const page = await store.listDeals(reading, filterCaller(user), withOwner(query, user))
        return sendPage(reply, pageOf(query), page)
      },
    })

    app.route({
      ...exportDeals,
      handler: async (request, reply) => {
        const {
          query: { bom = false, ...query },
          user,
        } = request
        const reading = cancelable(longDb, disconnectSignal(reply))
        const ids = await readExportedIds(reading, filterCaller(user), withOwner(query, user))
        if (user && !permittedActions(authorize, user).includes('export_unlimited'))
          authorize(user, 'export', { records: ids.length })
        const csv = await exportDealsCsv(reading, customFields.of('deal'), ids, bom, (result) =>
          audit.record(request, {
            event: 'export',
            details: { resource: 'deals', filter: query, ...result },
          }),
        )
        return sendFile(reply, 'deals.csv', csv)
      },
    })

    app.route({
      ...stageSchema.getDealStages,
      handler: async ({ query, user }, reply) => {
        const reading = cancelable(db, disconnectSignal(reply))
        return { data: await readStages(reading, filterCaller(user), withOwner(query, user)) }
      },
    })

    app.route({
      ...stageSchema.getStageConfig,
      handler: async () => ({ data: await readStageConfig(db) }),
    })

    app.route({
      ...stageSchema.putStageConfig,
      handler: async ({ body, headers, user }) => ({
        data: await replaceStageConfig(db, user, body, headers['if-match']),
      }),
    })

    app.route({
      ...schema.getDeal,
      handler: async ({ params: { id } }, reply) =>
        sendData(reply, await orTrashed(db, await store.readDeal(db, id), 'deal', id)),
    })

    app.route({
      ...schema.getDealHistory,
      handler: async ({ params: { id }, query }, reply) => {
        await orTrashed(db, await store.readDeal(db, id), 'deal', id)
        const reading = cancelable(db, disconnectSignal(reply))
        return sendPage(reply, pageOf(query), await readHistory(reading, id, query.field, pageOf(query)))
      },
    })

    app.route({
      ...schema.createDeal,
      handler: async ({ body, user }, reply) => {
        const action = newAction('create', user)
        const deal = await createDeal(db, customFields, action, body)
        return sendData(reply.code(201), deal, action.id)
      },
    })

    app.route({
      ...schema.updateDeal,
      handler: async ({ params: { id }, body, headers, user }, reply) => {
        const action = newAction('update', user)
        const change = { id, body, ifMatch: headers['if-match'] }
        const { deal, isChanged } = await updateDeal(db, customFields, action, change)
        return sendData(reply, orNotFound(deal, 'deal', id), isChanged ? action.id : undefined)
      },
    })

    app.route({
      ...bulkSchema.updateDeals,
      handler: async ({ body, user }, reply) => {
        const changed = await updateDeals(db, customFields, newAction('bulk_update', user), body)
        if (changed.action_id) reply.header(ACTION_HEADER, changed.action_id)
        return { data: changed }
      },
    })

    app.route({
      ...schema.deleteDeal,
      handler: async ({ params: { id }, user }, reply) => {
        const action = newAction('delete', user)
        await orTrashed(db, await deleteDeal(db, action, id), 'deal', id)
        return sendNothing(reply, action.id)
      },
    })

    done()
  }
