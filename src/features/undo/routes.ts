import type { FastifyPluginCallbackTypebox } from '@fastify/type-provider-typebox'
import type { Context } from '#src/context.ts'
import { requireVisibleAction } from '#src/features/activity/index.ts'
import type { RecordKind } from '#src/features/trash/index.ts'
import { ACTION_HEADER } from '#src/platform/http/replies.ts'
import { previewUndo } from './preview.ts'
import * as schema from './schema.ts'
import { undoAction } from './undo.ts'
import { authorizeUndo, readUndone } from './undo-permission.ts'

export const undoRoutes =
  (
    { authorize, db, longDb, maxBatchMs }: Context,
    kinds: readonly RecordKind[],
  ): FastifyPluginCallbackTypebox =>
  (app, _options, done) => {
    const parts = { db: longDb, maxBatchMs, kinds }
    app.route({
      ...schema.undoAction,
      preValidation: (request, _reply, proceed) => {
        request.body ??= {}
        proceed()
      },
      handler: async ({ params: { id }, body: { dry_run }, user, headers }, reply) => {
        await requireVisibleAction(db, user, id)
        const mayDelete = await authorizeUndo({ authorize, db }, kinds, user, await readUndone(db, id))
        const key = headers['idempotency-key']?.toString()
        const undoer = { user, mayDelete }
        const undone = await (dry_run ? previewUndo(parts, undoer, id) : undoAction(parts, undoer, id, key))
        if (undone.action_id) reply.header(ACTION_HEADER, undone.action_id)
        return { data: undone }
      },
    })
    done()
  }
