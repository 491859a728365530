import type { FastifyPluginCallbackTypebox } from '@fastify/type-provider-typebox'
import type { Context } from '#src/context.ts'
import { type NewActivity, recordActivity, requireUnchanged } from '#src/features/activity/store.ts'
import { found } from '#src/platform/errors.ts'
import { sendData, sendPage } from '#src/platform/http/replies.ts'
import { newId } from '#src/platform/ids.ts'
import { withoutReadOnly } from '#src/platform/schema/read-only.ts'
import { pageOf } from '#src/platform/schema/shapes.ts'
import * as schema from './schema.ts'
import * as store from './store.ts'
import type { DealflowTable } from './table.ts'

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
        sendData(reply, found(await store.readDeal(db, id), 'deal', id)),
    })

    app.route({
      ...schema.createDeal,
      handler: async ({ body, user }, reply) => {
        const id = newId('df')
        const deal = await db.transaction().execute(async (transaction) => {
          await store.insertDeal(transaction, id, body)
          await recordActivity(transaction, user, [
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
        return sendData(reply.code(201), found(deal, 'deal', id))
      },
    })

    app.route({
      ...schema.updateDeal,
      handler: async ({ params: { id }, body, headers, user }, reply) => {
        const deal = await db.transaction().execute(async (transaction) => {
          const before = found(await store.lockDeal(transaction, id), 'deal', id)
          await requireUnchanged(transaction, headers['if-match'], 'deal', before)
          const patch = await withoutReadOnly(body, schema.DEAL_READ_ONLY, () =>
            store.readDeal(transaction, id),
          )
          const changed = await store.updateDeal(transaction, before, patch)
          if (changed.length > 0)
            await recordActivity(transaction, user, updateActivity(before, changed, patch))
          return store.readDeal(transaction, id)
        })
        return sendData(reply, found(deal, 'deal', id))
      },
    })

    done()
  }

/** A stage change gets its own record, next to one for the other changed fields. */
function updateActivity(
  before: DealflowTable,
  changed: (keyof schema.DealPatch)[],
  patch: schema.DealPatch,
): NewActivity[] {
  const entity = { entity_type: 'dealflow', entity_id: before.id, company_id: before.company_id } as const
  const others = changed.filter((field) => field !== 'stage')
  const activities: NewActivity[] = []
  if (changed.includes('stage'))
    activities.push({
      ...entity,
      activity_type: 'dealflow_stage_changed',
      metadata: { from: before.stage, to: patch.stage },
    })
  if (others.length > 0)
    activities.push({ ...entity, activity_type: 'dealflow_updated', metadata: { fields: others } })
  return activities
}
