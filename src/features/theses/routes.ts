import type { FastifyPluginCallbackTypebox } from '@fastify/type-provider-typebox'
import type { Context } from '#src/context.ts'
import { newAction, readHistory, recordAction, requireUnchanged } from '#src/features/activity/index.ts'
import { orTrashed } from '#src/features/trash/index.ts'
import { cancelable } from '#src/platform/database/cancel.ts'
import { orNotFound } from '#src/platform/errors.ts'
import { disconnectSignal } from '#src/platform/http/disconnect.ts'
import { sendData, sendNothing, sendPage } from '#src/platform/http/replies.ts'
import { newId } from '#src/platform/ids.ts'
import { withoutReadOnly } from '#src/platform/schema/read-only.ts'
import { pageOf } from '#src/platform/schema/shapes.ts'
import { deleteThesis } from './remove.ts'
import * as schema from './schema.ts'
import * as store from './store.ts'

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
        const id = newId('th')
        const action = newAction('create', user)
        const thesis = await db.transaction().execute(async (transaction) => {
          await store.insertThesis(transaction, id, body)
          await recordAction(transaction, action, [
            { activity_type: 'thesis_created', entity_type: 'thesis', entity_id: id },
          ])
          return store.readThesis(transaction, id)
        })
        return sendData(reply.code(201), orNotFound(thesis, 'thesis', id), action.id)
      },
    })

    app.route({
      ...schema.updateThesis,
      handler: async ({ params: { id }, body, headers, user }, reply) => {
        const action = newAction('update', user)
        const { thesis, changed } = await db.transaction().execute(async (transaction) => {
          const locked = await store.lockThesis(transaction, id)
          const before = await orTrashed(transaction, locked, 'thesis', id)
          await requireUnchanged(transaction, headers['if-match'], 'thesis', before)
          const patch = withoutReadOnly(body, schema.THESIS_READ_ONLY)
          const { changes, timestamp } = await store.updateThesis(transaction, before, patch)
          const changed = Object.keys(changes)
          if (changed.length > 0)
            await recordAction(transaction, action, [
              {
                activity_type: 'thesis_updated',
                entity_type: 'thesis',
                entity_id: id,
                metadata: { fields: changed },
                changes,
                timestamp,
              },
            ])
          return { thesis: await store.readThesis(transaction, id), changed }
        })
        return sendData(reply, orNotFound(thesis, 'thesis', id), changed.length > 0 ? action.id : undefined)
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
