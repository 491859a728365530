import type { FastifyPluginCallbackTypebox } from '@fastify/type-provider-typebox'
import type { Context } from '#src/context.ts'
import { newAction, readHistory } from '#src/features/activity/store.ts'
import { foundOutsideTrash } from '#src/features/trash/store.ts'
import { cancelable } from '#src/platform/database/cancel.ts'
import { disconnectSignal } from '#src/platform/http/disconnect.ts'
import { ACTION_HEADER, sendData, sendFile, sendPage } from '#src/platform/http/replies.ts'
import { permittedActions } from '#src/platform/identity/authorize.ts'
import type { User } from '#src/platform/identity/identity.ts'
import { pageOf } from '#src/platform/schema/shapes.ts'
import { readCompanyAt } from './as-of.ts'
import { changeCompanies } from './bulk-change.ts'
import { updateCompanies } from './bulk-change-schema.ts'
import { readCompanyDetail } from './detail.ts'
import { getCompany, getCompanyHistory } from './detail-schema.ts'
import type { RestoreCompanies } from './import/batch-writer.ts'
import { importRoute } from './import/route.ts'
import { countExported, exportCsv } from './list/export.ts'
import { exportCompanies } from './list/export-schema.ts'
import { readFacets } from './list/facets.ts'
import { getCompanyFacets } from './list/facets-schema.ts'
import { listCompanies } from './list/list.ts'
import * as schema from './schema.ts'
import { readCompany } from './store.ts'
import { createCompany, updateCompany } from './write.ts'

export const companyRoutes =
  (context: Context, restore: RestoreCompanies): FastifyPluginCallbackTypebox =>
  (app, _options, done) => {
    const { audit, authorize, db, longDb, objects, companyLists } = context
    const mayExportAll = (user: User | null) =>
      user === null || permittedActions(authorize, user).includes('export_unlimited')

    app.route({
      ...schema.listCompanies,
      handler: async ({ query }, reply) => {
        const reading = cancelable(db, disconnectSignal(reply))
        return sendPage(reply, pageOf(query), await listCompanies(reading, companyLists, query))
      },
    })

    app.route({
      ...getCompanyFacets,
      handler: async ({ query }, reply) => ({
        data: await readFacets(cancelable(longDb, disconnectSignal(reply)), companyLists, query),
      }),
    })

    app.route({
      ...exportCompanies,
      handler: async (request, reply) => {
        const { query: filter, user } = request
        const reading = cancelable(longDb, disconnectSignal(reply))
        if (!mayExportAll(user)) authorize(user, 'export', { records: await countExported(reading, filter) })
        const csv = await exportCsv(reading, filter, (result) =>
          audit.record(request, { event: 'export', details: { resource: 'companies', filter, ...result } }),
        )
        return sendFile(reply, 'companies.csv', csv)
      },
    })

    app.route({
      ...getCompany,
      handler: async ({ params: { id }, query: { as_of }, log }, reply) => {
        const detail = as_of
          ? await readCompanyAt(db, id, as_of)
          : await readCompanyDetail({ db, objects, log }, id)
        return sendData(reply, await foundOutsideTrash(db, detail, 'company', id))
      },
    })

    app.route({
      ...getCompanyHistory,
      handler: async ({ params: { id }, query }, reply) => {
        await foundOutsideTrash(db, await readCompany(db, id), 'company', id)
        return sendPage(reply, pageOf(query), await readHistory(db, id, query.field, pageOf(query)))
      },
    })

    app.route({
      ...schema.createCompany,
      handler: async ({ body, user }, reply) => {
        const action = newAction('create', user)
        return sendData(reply.code(201), await createCompany(db, action, body), action.id)
      },
    })

    app.route({
      ...schema.updateCompany,
      handler: async ({ params: { id }, body, headers, user }, reply) => {
        const action = newAction('update', user)
        const { record, isChanged } = await updateCompany(context, action, id, body, headers['if-match'])
        return sendData(reply, record, isChanged ? action.id : undefined)
      },
    })

    app.route({
      ...updateCompanies,
      handler: async ({ body, user }, reply) => {
        authorize(user, 'write', { records: new Set(body.ids).size })
        const changed = await changeCompanies(db, newAction('bulk_update', user), body)
        if (changed.action_id) reply.header(ACTION_HEADER, changed.action_id)
        return { data: changed }
      },
    })

    app.register(importRoute(context, restore))
    done()
  }
