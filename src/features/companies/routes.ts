import type { FastifyPluginCallbackTypebox } from '@fastify/type-provider-typebox'
import type { Context } from '#src/context.ts'
import { cancelable } from '#src/platform/database/cancel.ts'
import { found } from '#src/platform/errors.ts'
import { disconnectSignal } from '#src/platform/http/disconnect.ts'
import { sendData, sendFile, sendPage } from '#src/platform/http/replies.ts'
import { permittedActions } from '#src/platform/identity/authorize.ts'
import type { User } from '#src/platform/identity/identity.ts'
import { pageOf } from '#src/platform/schema/shapes.ts'
import { changeCompanies } from './bulk-change.ts'
import { updateCompanies } from './bulk-change-schema.ts'
import { readCompanyDetail } from './detail.ts'
import { getCompany } from './detail-schema.ts'
import { importRoute } from './import/route.ts'
import { countExported, exportCsv } from './list/export.ts'
import { exportCompanies } from './list/export-schema.ts'
import { readFacets } from './list/facets.ts'
import { getCompanyFacets } from './list/facets-schema.ts'
import { listCompanies } from './list/list.ts'
import * as schema from './schema.ts'
import { createCompany, updateCompany } from './write.ts'

export const companyRoutes =
  (context: Context): FastifyPluginCallbackTypebox =>
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
      handler: async ({ params: { id }, log }, reply) =>
        sendData(reply, found(await readCompanyDetail({ db, objects, log }, id), 'company', id)),
    })

    app.route({
      ...schema.createCompany,
      handler: async ({ body, user }, reply) =>
        sendData(reply.code(201), await createCompany(db, user, body)),
    })

    app.route({
      ...schema.updateCompany,
      handler: async ({ params: { id }, body, headers, user }, reply) =>
        sendData(reply, await updateCompany(context, user, id, body, headers['if-match'])),
    })

    app.route({
      ...updateCompanies,
      handler: async ({ body, user }) => {
        authorize(user, 'write', { records: new Set(body.ids).size })
        return { data: await changeCompanies(db, user, body) }
      },
    })

    app.register(importRoute(context))
    done()
  }
