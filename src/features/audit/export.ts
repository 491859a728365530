import type { Readable } from 'node:stream'
import { type ExportResult, exportCsv } from '#src/platform/csv/export.ts'
import type { Db } from '#src/platform/database/database.ts'
import type { AuditEntry, AuditFilters } from './schema.ts'
import { readEntriesAfter } from './store.ts'

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
export const exportAuditCsv = (
  db: Db,
  filters: AuditFilters,
  onEnd: (result: ExportResult) => void,
): Promise<Readable> =>
  exportCsv({ columns: COLUMNS, readAfter: (id) => readEntriesAfter(db, filters, id, BATCH_ROWS), onEnd })
