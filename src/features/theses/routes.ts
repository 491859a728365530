import type { FastifyPluginCallbackTypebox } from '@fastify/type-provider-typebox'
import type { Context } from '#src/context.ts'
import { recordActivity, requireUnchanged } from '#src/features/activity/store.ts'
import { found } from '#src/platform/errors.ts'
import { sendData, sendPage } from '#src/platform/http/replies.ts'
import { newId } from '#src/platform/ids.ts'
import { withoutReadOnly } from '#src/platform/schema/read-only.ts'
import { pageOf } from '#src/platform/schema/shapes.ts'
import * as schema from './schema.ts'
import * as store from './store.ts'

export const thesisRoutes =
  ({ db }: Context): FastifyPluginCallbackTypebox =>
  (app, _options, done) => {
    app.route({
      ...schema.listTheses,
      handler: async ({ query }, reply) => sendPage(reply, pageOf(query), await store.listTheses(db, query)),
    })

    app.route({
      ...schema.getThesis,
      handler: async ({ params: { id } }, reply) =>
        sendData(reply, found(await store.readThesis(db, id), 'thesis', id)),
    })

    app.route({
      ...schema.createThesis,
      handler: async ({ body, user }, reply) => {
        const id = newId('th')
        const thesis = await db.transaction().execute(async (transaction) => {
          await store.insertThesis(transaction, id, body)
          await recordActivity(transaction, user, [
            { activity_type: 'thesis_created', entity_type: 'thesis', entity_id: id },
          ])
          return store.readThesis(transaction, id)
        })
        return sendData(reply.code(201), found(thesis, 'thesis', id))
      },
    })

    app.route({
      ...schema.updateThesis,
      handler: async ({ params: { id }, body, headers, user }, reply) => {
        const thesis = await db.transaction().execute(async (transaction) => {
          const before = found(await store.lockThesis(transaction, id), 'thesis', id)
          await requireUnchanged(transaction, headers['if-match'], 'thesis', before)
          const patch = await withoutReadOnly(body, schema.THESIS_READ_ONLY, () =>
            store.readThesis(transaction, id),
          )
          const changed = await store.updateThesis(transaction, before, patch)
          if (changed.length > 0)
            await recordActivity(transaction, user, [
              {
                activity_type: 'thesis_updated',
                entity_type: 'thesis',
                entity_id: id,
                metadata: { fields: changed },
              },
            ])
          return store.readThesis(transaction, id)
        })
        return sendData(reply, found(thesis, 'thesis', id))
      },
    })

    done()
  }
