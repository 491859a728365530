import type { FastifyPluginCallbackTypebox } from '@fastify/type-provider-typebox'
import { sql } from 'kysely'
import type { Context } from '#src/context.ts'
import { newAction, readHistory } from '#src/features/activity/index.ts'
import { cancelable } from '#src/platform/database/cancel.ts'
import { countExported } from '#src/platform/database/count-exported.ts'
import { all } from '#src/platform/database/sql.ts'
import { disconnectSignal } from '#src/platform/http/disconnect.ts'
import { ACTION_HEADER, sendData, sendFile, sendNothing, sendPage } from '#src/platform/http/replies.ts'
import { permittedActions } from '#src/platform/identity/authorize.ts'
import { withCaller } from '#src/platform/identity/caller-filter.ts'
import { pageOf } from '#src/platform/schema/shapes.ts'
import { createNote } from './create.ts'
import * as schema from './endpoint-schema.ts'
import { exportNotesCsv } from './export.ts'
import { exportNotes } from './export-schema.ts'
import { requireNote } from './find.ts'
import { listNotes, noteConditions } from './list.ts'
import { readNoteAt } from './read-at.ts'
import { deleteNote } from './remove.ts'
import { transferNotes } from './transfer.ts'
import { transferNotes as transferNotesEndpoint } from './transfer-schema.ts'
import { updateNote } from './update.ts'

const USER_FILTERS = ['author_email', 'mentions'] as const

export const noteRoutes =
  ({ audit, authorize, db, filterCaller, longDb }: Context): FastifyPluginCallbackTypebox =>
  (app, _options, done) => {
    app.route({
      ...schema.listNotes,
      handler: async ({ query, user }, reply) => {
        const reading = cancelable(db, disconnectSignal(reply))
        const page = await listNotes(reading, filterCaller(user), withCaller(query, user, USER_FILTERS))
        return sendPage(reply, pageOf(query), page)
      },
    })

    app.route({
      ...exportNotes,
      handler: async (request, reply) => {
        const {
          query: { bom = false, ...filter },
          user,
        } = request
        const reading = cancelable(longDb, disconnectSignal(reply))
        const where = await noteConditions(filterCaller(user), withCaller(filter, user, USER_FILTERS))
        if (user && !permittedActions(authorize, user).includes('export_unlimited'))
          authorize(user, 'export', {
            records: await countExported(reading, sql`from notes where ${all(where)}`),
          })
        const csv = await exportNotesCsv(reading, where, bom, (result) =>
          audit.record(request, { event: 'export', details: { resource: 'notes', filter, ...result } }),
        )
        return sendFile(reply, 'notes.csv', csv)
      },
    })

    app.route({
      ...schema.getNote,
      handler: async ({ params: { id }, query: { as_of }, user }, reply) =>
        as_of === undefined
          ? sendData(reply, await requireNote(db, user, id))
          : { data: await readNoteAt(db, user, id, as_of) },
    })

    app.route({
      ...schema.getNoteHistory,
      handler: async ({ params: { id }, query, user }, reply) => {
        await requireNote(db, user, id)
        const reading = cancelable(db, disconnectSignal(reply))
        return sendPage(reply, pageOf(query), await readHistory(reading, id, query.field, pageOf(query)))
      },
    })

    app.route({
      ...schema.createNote,
      handler: async ({ body, user }, reply) => {
        const action = newAction('create', user)
        return sendData(reply.code(201), await createNote(db, action, body), action.id)
      },
    })

    app.route({
      ...schema.updateNote,
      // What was read can be sent back: participants with their names.
      preValidation: ({ body }, _reply, proceed) => {
        const { participants } = (body ?? {}) as { participants?: unknown }
        if (Array.isArray(participants))
          Object.assign(body as object, { participants: participants.map(idOf) })
        proceed()
      },
      handler: async ({ params: { id }, body, headers, user }, reply) => {
        const action = newAction('update', user)
        const requireOwn = (owner: string | null) => authorize(user, 'write_own', { owner })
        const { note, isChanged } = await updateNote(db, requireOwn, action, id, body, headers['if-match'])
        return sendData(reply, note, isChanged ? action.id : undefined)
      },
    })

    app.route({
      ...schema.deleteNote,
      handler: async ({ params: { id }, user }, reply) => {
        const action = newAction('delete', user)
        await deleteNote(db, (owner) => authorize(user, 'write_own', { owner }), action, id)
        return sendNothing(reply, action.id)
      },
    })

    app.route({
      ...transferNotesEndpoint,
      handler: async (request, reply) => {
        const transfer = await transferNotes(db, newAction('update', request.user), request.body, request)
        if (transfer.action_id) reply.header(ACTION_HEADER, transfer.action_id)
        return { data: transfer }
      },
    })

    done()
  }

const idOf = (entry: unknown): unknown =>
  typeof entry === 'object' && entry !== null && 'id' in entry ? entry.id : entry
