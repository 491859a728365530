import type { FastifyPluginCallbackTypebox } from '@fastify/type-provider-typebox'
import type { Context } from '#src/context.ts'
import { cancelable } from '#src/platform/database/cancel.ts'
import { disconnectSignal } from '#src/platform/http/disconnect.ts'
import { sendFile, sendPage } from '#src/platform/http/replies.ts'
import { pageOf } from '#src/platform/schema/shapes.ts'
import { exportAuditCsv } from './export.ts'
import * as schema from './schema.ts'
import * as store from './store.ts'

export const auditRoutes =
  ({ audit, db, longDb }: Context): FastifyPluginCallbackTypebox =>
  (app, _options, done) => {
    app.route({
      ...schema.listAuditEntries,
      handler: async ({ query }, reply) => {
        const reading = cancelable(db, disconnectSignal(reply))
        return sendPage(reply, pageOf(query), await store.listAuditEntries(reading, query))
      },
    })

    app.route({
      ...schema.exportAuditEntries,
      handler: async (request, reply) => {
        const { query: filter } = request
        const reading = cancelable(longDb, disconnectSignal(reply))
        const csv = await exportAuditCsv(reading, filter, (result) =>
          audit.record(request, { event: 'export', details: { resource: 'audit', filter, ...result } }),
        )
        return sendFile(reply, 'audit.csv', csv)
      },
    })

    done()
  }
