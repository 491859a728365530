import type { FastifyPluginCallbackTypebox } from '@fastify/type-provider-typebox'
import { sql } from 'kysely'
import type { Context } from '#src/context.ts'
import { newAction, readHistory } from '#src/features/activity/index.ts'
import { orTrashed } from '#src/features/trash/index.ts'
import { cancelable } from '#src/platform/database/cancel.ts'
import { countExported } from '#src/platform/database/count-exported.ts'
import { all } from '#src/platform/database/sql.ts'
import { disconnectSignal } from '#src/platform/http/disconnect.ts'
import { sendData, sendFile, sendNothing, sendPage } from '#src/platform/http/replies.ts'
import { permittedActions } from '#src/platform/identity/authorize.ts'
import { withCaller } from '#src/platform/identity/caller-filter.ts'
import { pageOf } from '#src/platform/schema/shapes.ts'
import { createDecision } from './create.ts'
import * as schema from './endpoint-schema.ts'
import { exportDecisionsCsv } from './export.ts'
import { decisionConditions, listDecisions } from './list.ts'
import { readDecisionAt } from './read-at.ts'
import { readReasonConfig, replaceReasonConfig } from './reasons.ts'
import * as reasonsSchema from './reasons-schema.ts'
import { deleteDecision } from './remove.ts'
import { readDecision } from './store.ts'
import { updateDecision } from './update.ts'
import { takeBackVote, vote } from './vote.ts'

const USER_FILTERS = ['author_email', 'asked'] as const

export const decisionRoutes =
  ({ audit, authorize, db, filterCaller, longDb }: Context): FastifyPluginCallbackTypebox =>
  (app, _options, done) => {
    /** The day of a decision is the same for everyone. */
    const { readTimeZone } = filterCaller(null)

    app.route({
      ...schema.listDecisions,
      handler: async ({ query, user }, reply) => {
        const reading = cancelable(db, disconnectSignal(reply))
        const page = await listDecisions(reading, filterCaller(user), withCaller(query, user, USER_FILTERS))
        return sendPage(reply, pageOf(query), page)
      },
    })

    app.route({
      ...schema.exportDecisions,
      handler: async (request, reply) => {
        const {
          query: { bom = false, ...filter },
          user,
        } = request
        const reading = cancelable(longDb, disconnectSignal(reply))
        const where = await decisionConditions(filterCaller(user), withCaller(filter, user, USER_FILTERS))
        if (user && !permittedActions(authorize, user).includes('export_unlimited'))
          authorize(user, 'export', {
            records: await countExported(reading, sql`from decisions where ${all(where)}`),
          })
        const csv = await exportDecisionsCsv(reading, where, bom, (result) =>
          audit.record(request, { event: 'export', details: { resource: 'decisions', filter, ...result } }),
        )
        return sendFile(reply, 'decisions.csv', csv)
      },
    })

    app.route({
      ...reasonsSchema.getReasonConfig,
      handler: async () => ({ data: await readReasonConfig(db) }),
    })

    app.route({
      ...reasonsSchema.putReasonConfig,
      handler: async ({ body, headers, user }) => ({
        data: await replaceReasonConfig(db, user, body, headers['if-match']),
      }),
    })

    app.route({
      ...schema.getDecision,
      handler: async ({ params: { id }, query: { as_of } }, reply) =>
        as_of === undefined
          ? sendData(reply, await orTrashed(db, await readDecision(db, id), 'decision', id))
          : { data: await readDecisionAt(db, id, as_of) },
    })

    app.route({
      ...schema.getDecisionHistory,
      handler: async ({ params: { id }, query }, reply) => {
        await orTrashed(db, await readDecision(db, id), 'decision', id)
        const reading = cancelable(db, disconnectSignal(reply))
        return sendPage(reply, pageOf(query), await readHistory(reading, id, query.field, pageOf(query)))
      },
    })

    app.route({
      ...schema.createDecision,
      handler: async ({ body, user }, reply) => {
        const action = newAction('create', user)
        const decision = await createDecision(db, action, body, await readTimeZone())
        return sendData(reply.code(201), decision, action.id)
      },
    })

    app.route({
      ...schema.updateDecision,
      handler: async ({ params: { id }, body, headers, user }, reply) => {
        const action = newAction('update', user)
        const { decision, isChanged } = await updateDecision(db, action, {
          authorize: (owner) => authorize(user, 'write_own', { owner }),
          ...{ id, body, ifMatch: headers['if-match'], timeZone: await readTimeZone() },
        })
        return sendData(reply, decision, isChanged ? action.id : undefined)
      },
    })

    app.route({
      ...schema.putVote,
      handler: async ({ params: { id }, body, user }, reply) => {
        const action = newAction('update', user)
        const { decision, isChanged } = await vote(db, action, id, body)
        return sendData(reply, decision, isChanged ? action.id : undefined)
      },
    })

    app.route({
      ...schema.deleteVote,
      handler: async ({ params: { id }, user }, reply) => {
        const action = newAction('update', user)
        await takeBackVote(db, action, id)
        return sendNothing(reply, action.id)
      },
    })

    app.route({
      ...schema.deleteDecision,
      handler: async ({ params: { id }, user }, reply) => {
        const action = newAction('delete', user)
        await deleteDecision(db, (owner) => authorize(user, 'write_own', { owner }), action, id)
        return sendNothing(reply, action.id)
      },
    })

    done()
  }
