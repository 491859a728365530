import type { FastifyPluginCallbackTypebox } from '@fastify/type-provider-typebox'
import { sql } from 'kysely'
import type { Context } from '#src/context.ts'
import { type AtomicChangeDb, newAction, readHistory } from '#src/features/activity/index.ts'
import { readCompany } from '#src/features/companies/index.ts'
import { orTrashed } from '#src/features/trash/index.ts'
import { cancelable } from '#src/platform/database/cancel.ts'
import { countExported } from '#src/platform/database/count-exported.ts'
import { all } from '#src/platform/database/sql.ts'
import { MAX_FILTER_BODY_BYTES } from '#src/platform/filter/schema.ts'
import { disconnectSignal } from '#src/platform/http/disconnect.ts'
import { ACTION_HEADER, sendData, sendFile, sendNothing, sendPage } from '#src/platform/http/replies.ts'
import { permittedActions } from '#src/platform/identity/authorize.ts'
import { withOwner } from '#src/platform/identity/caller-filter.ts'
import { pageOf } from '#src/platform/schema/shapes.ts'
import { readPersonAt } from './as-of.ts'
import * as ofCompany from './company-schema.ts'
import { createPerson } from './create.ts'
import { listDuplicatePeople } from './duplicates.ts'
import * as duplicates from './duplicates-schema.ts'
import { exportPeopleCsv } from './export.ts'
import { exportPeople } from './export-schema.ts'
import { createPeopleFromExecutives, createPeopleOfCompanies } from './from-executives.ts'
import { linkPerson, unlinkPerson } from './links.ts'
import { deletePerson } from './remove.ts'
import * as schema from './schema.ts'
import * as store from './store.ts'
import { updatePerson } from './update.ts'

/** @param revert undoes what an action has changed before it failed */
export const peopleRoutes =
  (context: Context, { revert }: Pick<AtomicChangeDb, 'revert'>): FastifyPluginCallbackTypebox =>
  (app, _options, done) => {
    const { audit, authorize, customFields, db, filterCaller, longDb } = context

    app.route({
      ...schema.listPeople,
      handler: async ({ query, user }, reply) => {
        const reading = cancelable(db, disconnectSignal(reply))
        const page = await store.listPeople(reading, filterCaller(user), withOwner(query, user))
        return sendPage(reply, pageOf(query), page)
      },
    })

    app.route({
      ...exportPeople,
      handler: async (request, reply) => {
        const {
          query: { bom = false, ...filter },
          user,
        } = request
        const reading = cancelable(longDb, disconnectSignal(reply))
        const where = await store.personConditions(reading, filterCaller(user), withOwner(filter, user))
        if (user && !permittedActions(authorize, user).includes('export_unlimited'))
          authorize(user, 'export', {
            records: await countExported(reading, sql`from people where ${all(where)}`),
          })
        const csv = await exportPeopleCsv(reading, customFields.of('person'), where, bom, (result) =>
          audit.record(request, { event: 'export', details: { resource: 'people', filter, ...result } }),
        )
        return sendFile(reply, 'people.csv', csv)
      },
    })

    app.route({
      ...duplicates.listDuplicatePeople,
      handler: async ({ query: { person_id, ...query } }, reply) => {
        const reading = cancelable(longDb, disconnectSignal(reply))
        return sendPage(reply, pageOf(query), await listDuplicatePeople(reading, person_id, pageOf(query)))
      },
    })

    app.route({
      ...schema.getPerson,
      handler: async ({ params: { id }, query: { as_of } }, reply) => {
        const person = as_of ? await readPersonAt(db, id, as_of) : await store.readPerson(db, id)
        return sendData(reply, await orTrashed(db, person, 'person', id))
      },
    })

    app.route({
      ...schema.getPersonHistory,
      handler: async ({ params: { id }, query }, reply) => {
        await orTrashed(db, await store.readPerson(db, id), 'person', id)
        const reading = cancelable(db, disconnectSignal(reply))
        return sendPage(reply, pageOf(query), await readHistory(reading, id, query.field, pageOf(query)))
      },
    })

    app.route({
      ...duplicates.createPerson,
      handler: async ({ body, user }, reply) => {
        const action = newAction('create', user)
        return sendData(reply.code(201), await createPerson(context, action, body), action.id)
      },
    })

    app.route({
      ...schema.updatePerson,
      handler: async ({ params: { id }, body, headers, user }, reply) => {
        const action = newAction('update', user)
        const { person, isChanged } = await updatePerson(context, action, id, body, headers['if-match'])
        return sendData(reply, person, isChanged ? action.id : undefined)
      },
    })

    app.route({
      ...schema.deletePerson,
      handler: async ({ params: { id }, user }, reply) => {
        const action = newAction('delete', user)
        await orTrashed(db, await deletePerson(db, action, id), 'person', id)
        return sendNothing(reply, action.id)
      },
    })

    app.route({
      ...ofCompany.listCompanyPeople,
      handler: async ({ params: { id }, query }, reply) => {
        await orTrashed(db, await readCompany(db, id), 'company', id)
        const reading = cancelable(db, disconnectSignal(reply))
        return sendPage(reply, pageOf(query), await store.listCompanyPeople(reading, id, pageOf(query)))
      },
    })

    app.route({
      ...ofCompany.linkPerson,
      handler: async ({ params, body, user }, reply) => {
        const action = newAction('update', user)
        const { written, isChanged } = await linkPerson(db, action, params, body)
        return sendData(reply, written, isChanged ? action.id : undefined)
      },
    })

    app.route({
      ...ofCompany.unlinkPerson,
      handler: async ({ params, user }, reply) => {
        const action = newAction('update', user)
        await unlinkPerson(db, action, params)
        return sendNothing(reply, action.id)
      },
    })

    app.route({
      ...ofCompany.createPeopleFromExecutives,
      handler: async ({ params: { id }, user }, reply) => {
        const action = newAction('create', user)
        const made = await createPeopleFromExecutives(context, action, id)
        if (made.created > 0) reply.header(ACTION_HEADER, action.id)
        return { data: made }
      },
    })

    app.route({
      ...ofCompany.createPeopleOfCompanies,
      bodyLimit: MAX_FILTER_BODY_BYTES,
      handler: async ({ body, user }, reply) => {
        const action = newAction('create', user)
        const parts = { ...context, revert, caller: filterCaller(user) }
        const made = await createPeopleOfCompanies(parts, action, body, (records) =>
          authorize(user, 'write', { records }),
        )
        if (made.action_id) reply.header(ACTION_HEADER, action.id)
        return { data: made }
      },
    })

    done()
  }
