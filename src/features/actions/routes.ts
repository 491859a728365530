import type { FastifyPluginCallbackTypebox } from '@fastify/type-provider-typebox'
import type { Context } from '#src/context.ts'
import * as actions from '#src/features/activity/action-schema.ts'
import { listActions, newAction, readAction } from '#src/features/activity/index.ts'
import { foundOutsideTrash, listTrash } from '#src/features/trash/index.ts'
import * as trash from '#src/features/trash/schema.ts'
import { cancelable } from '#src/platform/database/cancel.ts'
import { found } from '#src/platform/errors.ts'
import { MAX_FILTER_BODY_BYTES } from '#src/platform/filter/schema.ts'
import { disconnectSignal } from '#src/platform/http/disconnect.ts'
import { ACTION_HEADER, sendData, sendNothing, sendPage } from '#src/platform/http/replies.ts'
import { pageOf } from '#src/platform/schema/shapes.ts'
import { deleteCompanies, deleteCompany, deleteDeal, deleteThesis, restoreRecord } from './delete.ts'
import { deleteCompanies as deleteCompaniesEndpoint } from './delete-schema.ts'
import { mergeCompanies } from './merge/merge.ts'
import * as merge from './merge/schema.ts'
import { purgeRecord } from './purge.ts'
import * as schema from './schema.ts'
import { previewUndo, undoAction } from './undo.ts'
import { authorizeUndo, readUndone } from './undo-permission.ts'

export const actionRoutes =
  ({
    authorize,
    config,
    db,
    filterCaller,
    longDb,
    maxBatchMs,
    objects,
  }: Context): FastifyPluginCallbackTypebox =>
  (app, _options, done) => {
    const batched = { db: longDb, maxBatchMs }
    app.route({
      ...actions.listActions,
      handler: async ({ query }, reply) => {
        const reading = cancelable(db, disconnectSignal(reply))
        return sendPage(reply, pageOf(query), await listActions(reading, query))
      },
    })

    app.route({
      ...actions.getAction,
      handler: async ({ params: { id } }, reply) =>
        sendData(reply, found(await readAction(db, id), 'action', id)),
    })

    app.route({
      ...schema.undoAction,
      preValidation: (request, _reply, proceed) => {
        request.body ??= {}
        proceed()
      },
      handler: async ({ params: { id }, body: { dry_run }, user, headers }, reply) => {
        const mayDelete = authorizeUndo(authorize, user, await readUndone(db, id))
        const key = headers['idempotency-key']?.toString()
        const undoer = { user, mayDelete }
        const undone = await (dry_run
          ? previewUndo(batched, undoer, id)
          : undoAction(batched, undoer, id, key))
        if (undone.action_id) reply.header(ACTION_HEADER, undone.action_id)
        return { data: undone }
      },
    })

    app.route({
      ...trash.deleteCompany,
      handler: async ({ params: { id }, user }, reply) => {
        const action = newAction('delete', user)
        const deleted = await deleteCompany(db, action, id)
        await foundOutsideTrash(db, deleted, 'company', id)
        return sendNothing(reply, action.id)
      },
    })

    app.route({
      ...deleteCompaniesEndpoint,
      bodyLimit: MAX_FILTER_BODY_BYTES,
      handler: async ({ body, user }, reply) => {
        const action = newAction('delete', user)
        await deleteCompanies(batched, action, filterCaller(user), body)
        return sendNothing(reply, action.id)
      },
    })

    app.route({
      ...trash.deleteDeal,
      handler: async ({ params: { id }, user }, reply) => {
        const action = newAction('delete', user)
        await foundOutsideTrash(db, await deleteDeal(db, action, id), 'deal', id)
        return sendNothing(reply, action.id)
      },
    })

    app.route({
      ...trash.deleteThesis,
      handler: async ({ params: { id }, user }, reply) => {
        const action = newAction('delete', user)
        await foundOutsideTrash(db, await deleteThesis(db, action, id), 'thesis', id)
        return sendNothing(reply, action.id)
      },
    })

    app.route({
      ...merge.mergeCompanies,
      handler: async ({ params: { id }, body, user }, reply) => {
        const action = newAction('merge', user, 'merge')
        const merged = await mergeCompanies({ db: longDb, objects }, action, id, body)
        return sendData(reply, merged, body.dry_run ? undefined : action.id)
      },
    })

    app.route({
      ...trash.listTrash,
      handler: async ({ query }, reply) => {
        const reading = cancelable(db, disconnectSignal(reply))
        return sendPage(reply, pageOf(query), await listTrash(reading, query, config.trashDays))
      },
    })

    app.route({
      ...trash.restoreRecord,
      handler: async ({ params: { id }, user }, reply) => {
        const action = newAction('restore', user, 'restore')
        const restored = await restoreRecord(db, action, id)
        reply.header(ACTION_HEADER, action.id)
        return { data: { action_id: action.id, restored } }
      },
    })

    app.route({
      ...trash.purgeRecord,
      handler: async (request, reply) => {
        const { id } = request.params
        const action = newAction('purge', request.user)
        await purgeRecord({ db, objects }, action, id, request)
        return sendNothing(reply, action.id)
      },
    })
    done()
  }
