import type { FastifyPluginCallbackTypebox } from '@fastify/type-provider-typebox'
import type { Context } from '#src/context.ts'
import { newAction, readHistory } from '#src/features/activity/index.ts'
import { orTrashed } from '#src/features/trash/index.ts'
import { cancelable } from '#src/platform/database/cancel.ts'
import { MAX_FILTER_BODY_BYTES } from '#src/platform/filter/schema.ts'
import { disconnectSignal } from '#src/platform/http/disconnect.ts'
import {
  ACTION_HEADER,
  sendData,
  sendFile,
  sendJson,
  sendNothing,
  sendPage,
} from '#src/platform/http/replies.ts'
import { permittedActions } from '#src/platform/identity/authorize.ts'
import { withOwner } from '#src/platform/identity/caller-filter.ts'
import type { User } from '#src/platform/identity/identity.ts'
import { pageOf } from '#src/platform/schema/shapes.ts'
import type { CompanyAttachment } from './attachment.ts'
import { changeCompanies } from './bulk-change/bulk-change.ts'
import { updateCompanies } from './bulk-change/bulk-change-schema.ts'
import type { CreateCompany } from './create.ts'
import { type LatestDecisionAt, readCompanyAt } from './detail/as-of.ts'
import { readDetail } from './detail/detail.ts'
import { getCompany, getCompanyHistory } from './detail/detail-schema.ts'
import { countExportedCompanies, exportCompaniesCsv } from './export/export.ts'
import { exportCompanies } from './export/export-schema.ts'
import { readCustomFacets } from './facets/custom-facets.ts'
import { readFacets } from './facets/facets.ts'
import { getCompanyFacets } from './facets/facets-schema.ts'
import { listCompanies } from './list/list.ts'
import { queryCompanies } from './list/query-schema.ts'
import { deleteCompanies, deleteCompany } from './remove.ts'
import * as deletion from './remove-schema.ts'
import * as schema from './schema.ts'
import { parseListQuery, parseSelection } from './selection/selection.ts'
import { readCompany } from './store.ts'
import { updateCompany } from './update.ts'

/** What slices above this one do for it. */
interface OtherSlices {
  /** Undoes what an action has changed before it failed. */
  revert(action_id: string): Promise<void>
  createCompany: CreateCompany
  attachment: CompanyAttachment
  latestDecisionAt: LatestDecisionAt
}

export const companyRoutes =
  (
    context: Context,
    { revert, createCompany, attachment, latestDecisionAt }: OtherSlices,
  ): FastifyPluginCallbackTypebox =>
  (app, _options, done) => {
    const { audit, authorize, customFields, db, filterCaller, longDb, maxBatchMs, objects, companyLists } =
      context
    const mayExportAll = (user: User | null) =>
      user === null || permittedActions(authorize, user).includes('export_unlimited')

    app.route({
      ...schema.listCompanies,
      handler: async ({ query, user }, reply) => {
        const listing = await parseListQuery(db, filterCaller(user), withOwner(query, user))
        const reading = cancelable(db, disconnectSignal(reply))
        return sendJson(reply, await listCompanies(reading, companyLists, listing))
      },
    })

    app.route({
      ...queryCompanies,
      bodyLimit: MAX_FILTER_BODY_BYTES,
      handler: async ({ body, user }, reply) => {
        const listing = await parseListQuery(db, filterCaller(user), body)
        const reading = cancelable(db, disconnectSignal(reply))
        return sendJson(reply, await listCompanies(reading, companyLists, listing))
      },
    })

    app.route({
      ...getCompanyFacets,
      handler: async ({ query: { custom: keys = [], ...query }, user }, reply) => {
        const selection = await parseSelection(db, filterCaller(user), withOwner(query, user))
        const reading = cancelable(longDb, disconnectSignal(reply))
        const fields = customFields.of('company')
        const custom = await readCustomFacets(reading, companyLists, selection, [keys].flat(), fields)
        return { data: { ...(await readFacets(reading, companyLists, selection)), custom } }
      },
    })

    app.route({
      ...exportCompanies,
      handler: async (request, reply) => {
        const {
          query: { bom = false, ...filter },
          user,
        } = request
        const selection = await parseSelection(db, filterCaller(user), withOwner(filter, user))
        const reading = cancelable(longDb, disconnectSignal(reply))
        if (!mayExportAll(user))
          authorize(user, 'export', { records: await countExportedCompanies(reading, selection) })
        const csv = await exportCompaniesCsv(reading, customFields.of('company'), selection, bom, (result) =>
          audit.record(request, { event: 'export', details: { resource: 'companies', filter, ...result } }),
        )
        return sendFile(reply, 'companies.csv', csv)
      },
    })

    app.route({
      ...getCompany,
      handler: async ({ params: { id }, query: { as_of }, log }, reply) => {
        const detail = as_of
          ? await readCompanyAt(db, latestDecisionAt, id, as_of)
          : await readDetail({ db, objects, log }, id)
        return sendData(reply, await orTrashed(db, detail, 'company', id))
      },
    })

    app.route({
      ...getCompanyHistory,
      handler: async ({ params: { id }, query }, reply) => {
        await orTrashed(db, await readCompany(db, id), 'company', id)
        const reading = cancelable(db, disconnectSignal(reply))
        return sendPage(reply, pageOf(query), await readHistory(reading, id, query.field, pageOf(query)))
      },
    })

    app.route({
      ...schema.createCompany,
      handler: async ({ body, user }, reply) => {
        const action = newAction('create', user)
        const created = await createCompany(action, body)
        return sendData(reply.code(201), created, action.id)
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
      bodyLimit: MAX_FILTER_BODY_BYTES,
      handler: async ({ body, user }, reply) => {
        const action = newAction('bulk_update', user)
        const parts = { db, longDb, maxBatchMs, revert, customFields, caller: filterCaller(user) }
        const changed = await changeCompanies(parts, action, body, (records) =>
          authorize(user, 'write', { records }),
        )
        if (changed.action_id) reply.header(ACTION_HEADER, changed.action_id)
        return { data: changed }
      },
    })

    app.route({
      ...deletion.deleteCompany,
      handler: async ({ params: { id }, user }, reply) => {
        const action = newAction('delete', user)
        const deleted = await deleteCompany(db, action, id, attachment)
        await orTrashed(db, deleted, 'company', id)
        return sendNothing(reply, action.id)
      },
    })

    app.route({
      ...deletion.deleteCompanies,
      bodyLimit: MAX_FILTER_BODY_BYTES,
      handler: async ({ body, user }, reply) => {
        const action = newAction('delete', user)
        const parts = { db: longDb, maxBatchMs, revert, attachment }
        await deleteCompanies(parts, action, filterCaller(user), body)
        return sendNothing(reply, action.id)
      },
    })

    done()
  }
