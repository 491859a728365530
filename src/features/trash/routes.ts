import type { FastifyPluginCallbackTypebox } from '@fastify/type-provider-typebox'
import type { Context } from '#src/context.ts'
import { newAction } from '#src/features/activity/index.ts'
import { cancelable } from '#src/platform/database/cancel.ts'
import { disconnectSignal } from '#src/platform/http/disconnect.ts'
import { ACTION_HEADER, sendNothing, sendPage } from '#src/platform/http/replies.ts'
import { pageOf } from '#src/platform/schema/shapes.ts'
import type { RecordKind } from './kind.ts'
import { purgeRecord } from './purge.ts'
import { readOwnerInTrash, requireVisibleInTrash, restoreRecord } from './restore.ts'
import * as schema from './schema.ts'
import { listTrash } from './store.ts'

export const trashRoutes =
  ({ authorize, config, db, objects }: Context, kinds: readonly RecordKind[]): FastifyPluginCallbackTypebox =>
  (app, _options, done) => {
    app.route({
      ...schema.listTrash,
      handler: async ({ query, user }, reply) => {
        const reading = cancelable(db, disconnectSignal(reply))
        return sendPage(reply, pageOf(query), await listTrash(reading, user, query, config.trashDays))
      },
    })

    app.route({
      ...schema.restoreRecord,
      handler: async ({ params: { id }, user }, reply) => {
        const owner = await readOwnerInTrash(db, kinds, user, id)
        if (owner === undefined) authorize(user, 'delete')
        else authorize(user, 'write_own', { owner })
        const action = newAction('restore', user, 'restore')
        const restored = await restoreRecord(db, kinds, action, id)
        reply.header(ACTION_HEADER, action.id)
        return { data: { action_id: action.id, restored } }
      },
    })

    app.route({
      ...schema.purgeRecord,
      handler: async (request, reply) => {
        const { id } = request.params
        await requireVisibleInTrash(db, request.user, id)
        const action = newAction('purge', request.user)
        await purgeRecord({ db, objects, kinds }, action, id, request)
        return sendNothing(reply, action.id)
      },
    })
    done()
  }
