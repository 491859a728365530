import type { Table } from '#src/platform/csv/table.ts'
import { yieldToEventLoop } from '#src/platform/event-loop.ts'
import type { Repairs } from './repairs.ts'
import { MAX_MALFORMED_ROWS } from './schema.ts'

/** A row of the file: a record, one that is left out, or one that cannot be read. */
export type FileRow =
  | { kind: 'record'; row: number; cells: string[] }
  | { kind: 'left_out'; row: number; cells: string[]; reason: string; canInclude: boolean }
  | { kind: 'malformed'; row: number; message: string }

/** The rows of a file with the repairs of a person, the same each time they are read. */
export class FileRows {
  readonly #table: Table
  readonly #repairs: Repairs
  readonly #signal: AbortSignal
  /** The row at which reading has stopped, because too many before it are malformed. */
  stoppedAtRow: number | null = null

  /** @param signal its reason ends the reading */
  constructor(table: Table, repairs: Repairs, signal: AbortSignal) {
    this.#table = table
    this.#repairs = repairs
    this.#signal = signal
  }

  /** All rows after the column names, without blank ones. */
  async *read(): AsyncGenerator<FileRow> {
    let malformed = 0
    for await (const records of this.#table.read()) {
      this.#signal.throwIfAborted()
      for (const record of records) {
        const row = this.#rowOf(record)
        if (!row) continue
        yield row
        if (row.kind !== 'malformed') continue
        malformed += 1
        if (malformed < MAX_MALFORMED_ROWS) continue
        this.stoppedAtRow = row.row
        return
      }
      await yieldToEventLoop()
    }
  }

  /** A row that was left out may have any number of cells. */
  #fitted(cells: string[]): string[] {
    return this.#table.header.map((_name, index) => cells[index] ?? '')
  }

  #rowOf(
    record: Awaited<ReturnType<ReturnType<Table['read']>['next']>>['value'][number],
  ): FileRow | undefined {
    const { row } = record
    this.#repairs.pass(row)
    const isExcluded = this.#repairs.isExcluded(row)
    if ('message' in record) {
      const { message } = record
      return isExcluded ? leftOut(row, [message], EXCLUDED) : { kind: 'malformed', row, message }
    }
    const { cells } = record
    if ('leftOut' in record && !this.#repairs.isIncluded(row)) return leftOut(row, cells, record.leftOut)
    if (isExcluded) return leftOut(row, cells, EXCLUDED)
    const repaired = this.#repairs.cellsOf({ row, cells: 'leftOut' in record ? this.#fitted(cells) : cells })
    return repaired.every(isBlank) ? undefined : { kind: 'record', row, cells: repaired }
  }
}

const EXCLUDED = 'You excluded the row.'

const leftOut = (row: number, cells: string[], reason: string): FileRow => ({
  ...{ kind: 'left_out', row, cells, reason, canInclude: reason !== EXCLUDED },
})

const isBlank = (cell: string): boolean => cell.trim() === ''
