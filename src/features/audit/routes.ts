import type { Readable } from 'node:stream'
import type { FastifyPluginCallbackTypebox } from '@fastify/type-provider-typebox'
import type { Context } from '#src/context.ts'
import { type ExportResult, exportCsv } from '#src/platform/csv/export.ts'
import { cancelable } from '#src/platform/database/cancel.ts'
import type { Db } from '#src/platform/database/database.ts'
import { disconnectSignal } from '#src/platform/http/disconnect.ts'
import { sendFile, sendPage } from '#src/platform/http/replies.ts'
import { pageOf } from '#src/platform/schema/shapes.ts'
import type { AuditEntry, AuditFilters } from './schema.ts'
import * as schema from './schema.ts'
import * as store from './store.ts'
import { readEntriesAfter } from './store.ts'

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

const BATCH_ROWS = 1000

const COLUMNS: (keyof AuditEntry)[] = [
  'id',
  'at',
  'event',
  'user_email',
  'address',
  'browser',
  'request_id',
  'details',
]

/**
 * The entries that match the filters as a CSV file, oldest first.
 * @param onEnd called when the file ends or the client disconnects
 */
const exportAuditCsv = (
  db: Db,
  filters: AuditFilters,
  onEnd: (result: ExportResult) => void,
): Promise<Readable> =>
  exportCsv({ columns: COLUMNS, readAfter: (id) => readEntriesAfter(db, filters, id, BATCH_ROWS), onEnd })
