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
import type { User } from '#src/platform/identity/identity.ts'
import { pageOf } from '#src/platform/schema/shapes.ts'
import { updateTasks } from './bulk-change.ts'
import * as bulkSchema from './bulk-change-schema.ts'
import { calendarReader } from './check.ts'
import { createTask } from './create.ts'
import * as schema from './endpoint-schema.ts'
import { exportTasksCsv } from './export.ts'
import { requireTask } from './find.ts'
import { finishTask, reopenTask } from './finish.ts'
import { ownerFor } from './kind.ts'
import { listTasks, taskConditions } from './list.ts'
import { deleteTask, deleteTasks } from './remove.ts'
import { type AuthorizeChange, updateTask } from './update.ts'

const USER_FILTERS = ['assignee', 'author_email'] as const

export const taskRoutes =
  ({ audit, authorize, config, db, filterCaller, longDb }: Context): FastifyPluginCallbackTypebox =>
  (app, _options, done) => {
    const readCalendar = calendarReader(config.timeZone)
    const changesOf =
      (user: User | null): AuthorizeChange =>
      (task) =>
        authorize(user, 'write_own', { owner: ownerFor(user, task) })

    app.route({
      ...schema.listTasks,
      handler: async ({ query, user }, reply) => {
        const reading = cancelable(db, disconnectSignal(reply))
        const page = await listTasks(reading, filterCaller(user), withCaller(query, user, USER_FILTERS))
        return sendPage(reply, pageOf(query), page)
      },
    })

    app.route({
      ...schema.exportTasks,
      handler: async (request, reply) => {
        const {
          query: { bom = false, ...filter },
          user,
        } = request
        const reading = cancelable(longDb, disconnectSignal(reply))
        const where = await taskConditions(filterCaller(user), withCaller(filter, user, USER_FILTERS))
        if (user && !permittedActions(authorize, user).includes('export_unlimited'))
          authorize(user, 'export', {
            records: await countExported(reading, sql`from tasks where ${all(where)}`),
          })
        const csv = await exportTasksCsv(reading, where, bom, (result) =>
          audit.record(request, { event: 'export', details: { resource: 'tasks', filter, ...result } }),
        )
        return sendFile(reply, 'tasks.csv', csv)
      },
    })

    app.route({
      ...schema.getTask,
      handler: async ({ params: { id } }, reply) => sendData(reply, await requireTask(db, id)),
    })

    app.route({
      ...schema.getTaskHistory,
      handler: async ({ params: { id }, query }, reply) => {
        await requireTask(db, id)
        const reading = cancelable(db, disconnectSignal(reply))
        return sendPage(reply, pageOf(query), await readHistory(reading, id, query.field, pageOf(query)))
      },
    })

    app.route({
      ...schema.createTask,
      handler: async ({ body, user }, reply) => {
        const action = newAction('create', user)
        return sendData(reply.code(201), await createTask(db, action, body, readCalendar), action.id)
      },
    })

    app.route({
      ...schema.updateTask,
      handler: async ({ params: { id }, body, headers, user }, reply) => {
        const action = newAction('update', user)
        const { task, isChanged } = await updateTask(db, action, {
          ...{ authorize: changesOf(user), id, body, ifMatch: headers['if-match'], readCalendar },
        })
        return sendData(reply, task, isChanged ? action.id : undefined)
      },
    })

    app.route({
      ...bulkSchema.updateTasks,
      handler: async ({ body, user }, reply) => {
        const action = newAction('bulk_update', user)
        const changed = await updateTasks(db, changesOf(user), action, body, readCalendar)
        if (changed.action_id) reply.header(ACTION_HEADER, changed.action_id)
        return { data: changed }
      },
    })

    app.route({
      ...schema.finishTask,
      handler: async ({ params: { id }, user }, reply) => {
        const action = newAction('update', user)
        const { task, isChanged } = await finishTask(db, action, {
          ...{ authorize: changesOf(user), id, readCalendar },
        })
        if (isChanged) reply.header(ACTION_HEADER, action.id)
        return { data: task }
      },
    })

    app.route({
      ...schema.reopenTask,
      handler: async ({ params: { id }, user }, reply) => {
        const action = newAction('update', user)
        const { task, isChanged } = await reopenTask(db, changesOf(user), action, id)
        return sendData(reply, task, isChanged ? action.id : undefined)
      },
    })

    app.route({
      ...bulkSchema.deleteTasks,
      handler: async ({ body, user }, reply) => {
        const action = newAction('delete', user)
        await deleteTasks(db, changesOf(user), action, body.ids)
        return sendNothing(reply, action.id)
      },
    })

    app.route({
      ...schema.deleteTask,
      handler: async ({ params: { id }, user }, reply) => {
        const action = newAction('delete', user)
        await deleteTask(db, changesOf(user), action, id)
        return sendNothing(reply, action.id)
      },
    })

    done()
  }
