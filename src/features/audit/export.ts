import { Readable } from 'node:stream'
import { escapeFormula, writeCsv } from '#src/platform/csv/write.ts'
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
export async function exportAuditCsv(
  db: Db,
  filters: AuditFilters,
  onEnd: (result: { rows: number; complete: boolean }) => void,
): Promise<Readable> {
  // The first batch is read before the response starts, so a database error still becomes a status code.
  const first = await readEntriesAfter(db, filters, '', BATCH_ROWS)
  return Readable.from(lines(db, filters, first, onEnd), { objectMode: false })
}

async function* lines(
  db: Db,
  filters: AuditFilters,
  first: AuditEntry[],
  onEnd: (result: { rows: number; complete: boolean }) => void,
): AsyncGenerator<string> {
  const result = { rows: 0, complete: false }
  try {
    yield writeCsv([COLUMNS])
    let batch = first
    while (batch.length > 0) {
      result.rows += batch.length
      yield writeCsv(batch.map((entry) => COLUMNS.map((column) => formatCell(entry[column]))))
      batch = await readEntriesAfter(db, filters, batch.at(-1)?.id ?? '', BATCH_ROWS)
    }
    result.complete = true
  } finally {
    onEnd(result)
  }
}

const formatCell = (value: AuditEntry[keyof AuditEntry]): unknown =>
  typeof value === 'string' ? escapeFormula(value) : value && JSON.stringify(value)
