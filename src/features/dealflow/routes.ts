import type { FastifyPluginCallbackTypebox } from '@fastify/type-provider-typebox'
import type { Context } from '#src/context.ts'
import { newAction, readHistory, recordAction, requireUnchanged } from '#src/features/activity/store.ts'
import { foundOutsideTrash } from '#src/features/trash/store.ts'
import { found } from '#src/platform/errors.ts'
import { sendData, sendPage } from '#src/platform/http/replies.ts'
import { newId } from '#src/platform/ids.ts'
import { withoutReadOnly } from '#src/platform/schema/read-only.ts'
import { pageOf } from '#src/platform/schema/shapes.ts'
import * as schema from './schema.ts'
import * as store from './store.ts'
import { updateActivity } from './update-activity.ts'

export const dealflowRoutes =
  ({ db }: Context): FastifyPluginCallbackTypebox =>
  (app, _options, done) => {
    app.route({
      ...schema.listDeals,
      handler: async ({ query }, reply) => sendPage(reply, pageOf(query), await store.listDeals(db, query)),
    })

    app.route({
      ...schema.getDealStages,
      handler: async ({ query: { status } }) => ({ data: await store.readStages(db, status) }),
    })

    app.route({
      ...schema.getDeal,
      handler: async ({ params: { id } }, reply) =>
        sendData(reply, await foundOutsideTrash(db, await store.readDeal(db, id), 'deal', id)),
    })

    app.route({
      ...schema.getDealHistory,
      handler: async ({ params: { id }, query }, reply) => {
        await foundOutsideTrash(db, await store.readDeal(db, id), 'deal', id)
        return sendPage(reply, pageOf(query), await readHistory(db, id, query.field, pageOf(query)))
      },
    })

    app.route({
      ...schema.createDeal,
      handler: async ({ body, user }, reply) => {
        const id = newId('df')
        const action = newAction('create', user)
        const deal = await db.transaction().execute(async (transaction) => {
          await store.insertDeal(transaction, id, body)
          await recordAction(transaction, action, [
            {
              activity_type: 'dealflow_created',
              entity_type: 'dealflow',
              entity_id: id,
              company_id: body.company_id,
              metadata: { stage: body.stage },
            },
          ])
          return store.readDeal(transaction, id)
        })
        return sendData(reply.code(201), found(deal, 'deal', id), action.id)
      },
    })

    app.route({
      ...schema.updateDeal,
      handler: async ({ params: { id }, body, headers, user }, reply) => {
        const action = newAction('update', user)
        const { deal, activities } = await db.transaction().execute(async (transaction) => {
          const locked = await store.lockDeal(transaction, id)
          const before = await foundOutsideTrash(transaction, locked, 'deal', id)
          await requireUnchanged(transaction, headers['if-match'], 'deal', before)
          const patch = await withoutReadOnly(body, schema.DEAL_READ_ONLY, () =>
            store.readDeal(transaction, id),
          )
          const { changes, timestamp } = await store.updateDeal(transaction, before, patch)
          const activities = updateActivity(before, changes, timestamp)
          await recordAction(transaction, action, activities)
          return { deal: await store.readDeal(transaction, id), activities }
        })
        return sendData(reply, found(deal, 'deal', id), activities.length > 0 ? action.id : undefined)
      },
    })

    done()
  }
