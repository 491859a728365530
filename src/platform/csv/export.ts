import { Readable } from 'node:stream'
import { BYTE_ORDER_MARK, escapeFormula, writeCsv } from './write.ts'

/** What was exported. An export that failed or whose client disconnected is not complete. */
export interface ExportResult {
  rows: number
  complete: boolean
}

interface Source<Row> {
  columns: readonly (keyof Row)[]
  /** Whether the file begins with a byte order mark. By default it does not. */
  bom?: boolean
  /** Reads the rows after the one with this id, in the order of ids; at the end none. `''` comes before all. */
  readAfter: (id: string) => Promise<Row[]>
  /** Called once when the file ends or the client disconnects. */
  onEnd: (result: ExportResult) => void
}

/** Rows as a CSV file. Holds one batch in memory at a time. */
export async function exportCsv<Row extends { id: string }>(source: Source<Row>): Promise<Readable> {
  // The first batch is read before the response starts, so a database error still becomes a status code.
  const first = await source.readAfter('')
  return Readable.from(lines(source, first), { objectMode: false })
}

async function* lines<Row extends { id: string }>(
  { columns, bom, readAfter, onEnd }: Source<Row>,
  first: Row[],
): AsyncGenerator<string> {
  const result = { rows: 0, complete: false }
  try {
    yield (bom ? BYTE_ORDER_MARK : '') + writeCsv([columns as unknown[]])
    let batch = first
    while (batch.length > 0) {
      result.rows += batch.length
      yield writeCsv(batch.map((row) => columns.map((column) => formatCell(row[column]))))
      batch = await readAfter(batch.at(-1)?.id ?? '')
    }
    result.complete = true
  } finally {
    onEnd(result)
  }
}

function formatCell(value: unknown): unknown {
  if (typeof value === 'string') return escapeFormula(value)
  return typeof value === 'object' && value !== null ? JSON.stringify(value) : value
}
