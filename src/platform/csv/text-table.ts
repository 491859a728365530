import { InvalidInput, printable } from '#src/platform/errors.ts'
import { yieldToEventLoop } from '#src/platform/event-loop.ts'
import { truncate } from '#src/platform/truncate.ts'
import type { CellDecoder, Repairs } from './cell-decoder.ts'
import { commonWidth, type DetectedDialect, firstRows } from './dialect.ts'
import type { FileStart } from './file-start.ts'
import { findHeaderRow, HEADER_SEARCH_ROWS } from './header-row.ts'
import { type TableRecord, TableRows } from './left-out.ts'
import { CsvReader, type CsvRecord, type CsvRow, isBlank } from './read.ts'
import type { Dialect } from './split-record.ts'
import type { TextSource } from './text-source.ts'

const FIRST_ROWS = 15
const MAX_FIRST_CELL_LENGTH = 200

/** Where the column names of a text are. */
export interface TextLayout {
  headerRow: number
  header: string[]
  firstRows: CsvRow[]
}

interface LayoutOptions {
  headerRow?: number | undefined
  isColumnName: (name: string) => boolean
  isVerbatim?: ((header: readonly string[]) => boolean) | undefined
}

/** The rows of a text that is written in one dialect. */
export class TextTable {
  readonly #source: TextSource
  readonly #dialect: Dialect
  readonly #formatRows: number
  readonly #signal: AbortSignal | undefined
  #layout: TextLayout = { headerRow: 0, header: [], firstRows: [] }
  #isVerbatim = false
  /** That of the latest reading. */
  #decoder: CellDecoder

  constructor(
    source: TextSource,
    { dialect, formatRows }: Pick<DetectedDialect, 'dialect' | 'formatRows'>,
    signal?: AbortSignal,
  ) {
    this.#source = source
    this.#dialect = dialect
    this.#formatRows = formatRows
    this.#signal = signal
    this.#decoder = source.cellDecoder()
  }

  get layout(): TextLayout {
    return this.#layout
  }

  /** @throws InvalidInput if the file has no rows, or no row `headerRow` with text */
  async findLayout(start: FileStart, options: LayoutOptions): Promise<void> {
    const searched = firstRows(start, this.#dialect, HEADER_SEARCH_ROWS)
    const rows = searched.filter(({ row }) => row > this.#formatRows)
    if (rows.length === 0)
      throw new InvalidInput(start.isWhole ? 'The file has no rows.' : FIRST_ROW_TOO_LONG)
    const headerRow = options.headerRow ?? findHeaderRow(rows, options.isColumnName)
    const found = headerRow === 0 ? undefined : (rows.find(byRow(headerRow)) ?? (await this.#find(headerRow)))
    if (headerRow > 0 && !found)
      throw new InvalidInput(`header_row is ${headerRow}, but the file has no such row, or the row is blank.`)
    this.#layout = {
      headerRow,
      header: found ? found.cells.map(columnName) : numberedColumns(commonWidth(rows)),
      firstRows: rows.slice(0, FIRST_ROWS).map(shortened),
    }
    this.#isVerbatim = options.isVerbatim?.(this.#layout.header) ?? false
  }

  /** What was repaired in the latest reading. */
  get warnings(): string[] {
    const { otherCells, doubleEncoded, escapedBytes } = this.#decoder
    return [
      ...warning(otherCells, [
        'is not UTF-8 and was read as Windows-1252',
        'are not UTF-8 and were read as Windows-1252',
      ]),
      ...warning(doubleEncoded, [
        'was encoded twice and has been repaired',
        'were encoded twice and have been repaired',
      ]),
      ...warning(escapedBytes, [
        'had escaped bytes and has been repaired',
        'had escaped bytes and have been repaired',
      ]),
    ]
  }

  async *read(): AsyncGenerator<TableRecord[]> {
    const { headerRow, header } = this.#layout
    const rows = new TableRows(headerRow, headerRow > 0 ? header : undefined, header.length)
    for await (const records of this.#records(headerRow, header.length)) {
      const decided = rows.add(records)
      if (decided.length > 0) yield decided
    }
    const last = rows.end()
    if (last.length > 0) yield last
  }

  /** @param width 0: rows may have any number of cells */
  async *#records(headerRow: number, width: number): AsyncGenerator<CsvRecord[]> {
    const decoder = this.#source.cellDecoder(this.#isVerbatim)
    this.#decoder = decoder
    const reader = new CsvReader({ dialect: this.#dialect, headerRow, width })
    for await (const block of this.#source.blocks()) yield* this.#decoded(reader.read(block, false), decoder)
    yield* this.#decoded(reader.read('', true), decoder)
  }

  async *#decoded(batches: Iterable<CsvRecord[]>, decoder: CellDecoder): AsyncGenerator<CsvRecord[]> {
    for (const records of batches) {
      this.#signal?.throwIfAborted()
      await decoder.decodeRecords(records)
      yield records.filter(({ row, cells }) => row > this.#formatRows && !(cells && isBlank(cells)))
      await yieldToEventLoop()
    }
  }

  async #find(wanted: number): Promise<CsvRow | undefined> {
    for await (const records of this.#records(0, 0))
      for (const { row, cells } of records) {
        if (row === wanted && cells) return { row, cells }
        if (row >= wanted) return undefined
      }
    return undefined
  }
}

const FIRST_ROW_TOO_LONG = 'The first row is longer than 256 KB, so it cannot have the column names.'

const byRow = (wanted: number) => (row: CsvRow) => row.row === wanted

const columnName = (cell: string): string => printable(cell).trim()

const numberedColumns = (count: number): string[] =>
  Array.from({ length: count }, (_value, index) => `Column ${index + 1}`)

const shortened = ({ row, cells }: CsvRow): CsvRow => ({
  row,
  cells: cells.map((cell) => printable(truncate(cell, MAX_FIRST_CELL_LENGTH))),
})

function warning({ count, example }: Repairs, [one, many]: [string, string]): string[] {
  if (!example) return []
  const cells = count === 1 ? `1 cell ${one}` : `${count.toLocaleString('en')} cells ${many}`
  const { from, to } = example
  return [`${cells}, such as ${from === to ? `"${from}"` : `"${from}" → "${to}"`}.`]
}
