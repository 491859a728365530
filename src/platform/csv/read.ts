import { BLOCK_BYTES } from './blocks.ts'
import { type Dialect, type SplitOptions, splitRecord } from './split-record.ts'

/** A record of a CSV file. `row` counts as a spreadsheet does: the first line of the file is row 1. */
export interface CsvRow {
  row: number
  cells: string[]
}

/** A part of the file that is not a record. */
export interface CsvError {
  row: number
  message: string
  /** Those of a record that has more or fewer cells than the header. */
  cells?: string[]
}

export type CsvRecord = CsvRow | CsvError

const MAX_RECORD_LENGTH = 1024 * 1024
const TOO_LONG = `The row is longer than ${MAX_RECORD_LENGTH} characters, or a quote that opens in it is not closed.`

interface CsvOptions {
  dialect: Dialect
  /** Rows above it may have any number of cells. 0: there is none. */
  headerRow: number
  /** The number of cells of the header and of the rows below it; 0: rows may have any number of cells. */
  width: number
}

/**
 * Reads the text of a file block by block; a CellDecoder decodes the cells. We split records ourselves: after a malformed one, csv-parse needs a new
 * parser that reads the same bytes again, and 1 MB of blank lines alone takes it 0.6 s. A malformed record (an unclosed
 * quote, more or fewer cells than the header, over 1 MB) is an error, and reading continues on the next line.
 *
 * The time is linear. A record that starts on a line with an even number of quotes ends on that line, and one that
 * starts on a line with an odd number ends on the next such line, so restarts scan a character three times at most.
 */
export class CsvReader {
  readonly #options: CsvOptions
  readonly #newline: string
  readonly #splitOptions: SplitOptions
  readonly #lastOptions: SplitOptions
  readonly #relaxedOptions: SplitOptions
  /** The text from the start of the first record that is not complete. */
  #pending = ''
  /** The length of `#pending` at which another try to read it is worthwhile. */
  #retryLength = 0
  #row = 0
  /** Whether the rest of the line is part of a malformed record. */
  #isSkipping = false
  #scanned = 0

  constructor(options: CsvOptions) {
    this.#options = options
    this.#newline = options.dialect.newline
    this.#splitOptions = { ...options.dialect, isLast: false, isRelaxed: false }
    this.#lastOptions = { ...this.#splitOptions, isLast: true }
    this.#relaxedOptions = { ...this.#lastOptions, isRelaxed: true }
  }

  /** Characters scanned so far, repeated scans included. */
  get scanned(): number {
    return this.#scanned
  }

  /**
   * Reads the records that are complete with this block, in batches of little work. Blank lines count as rows, but are
   * not records.
   */
  *read(block: string, isLast: boolean): Generator<CsvRecord[]> {
    this.#pending += block
    if (this.#pending.length < this.#retryLength && !isLast) return
    let records: CsvRecord[] = []
    let start = 0
    let batchStart = this.#scanned
    for (let next: number | undefined = 0; next !== undefined && start < this.#pending.length; ) {
      next = this.#isSkipping ? this.#skipLine(start) : this.#readRecord(start, isLast, records)
      start = next ?? start
      if (this.#scanned - batchStart < BLOCK_BYTES) continue
      yield records
      records = []
      batchStart = this.#scanned
    }
    this.#pending = this.#pending.slice(start)
    // Doubling keeps repeated scans of one long record linear.
    this.#retryLength = Math.min(this.#pending.length * 2, MAX_RECORD_LENGTH + 1)
    yield records
  }

  /** Reads one record. Returns where the next one starts, or undefined when more text is needed. */
  #readRecord(start: number, isLast: boolean, records: CsvRecord[]): number | undefined {
    if (this.#pending[start] === '\n') return this.#skipBlankLine(start)
    const available = this.#pending.length - start
    const split = splitRecord(this.#pending, start, isLast ? this.#lastOptions : this.#splitOptions)
    this.#scanned += split ? split.end - start : available
    if (!split)
      return available > MAX_RECORD_LENGTH ? this.#readMalformed(start, true, TOO_LONG, records) : undefined
    if ('error' in split) return this.#readMalformed(start, isLast, split.error, records)
    const { cells, end } = split
    if (end - start > MAX_RECORD_LENGTH) return this.#readMalformed(start, isLast, TOO_LONG, records)
    return this.#takeRecord(cells, start, end, records)
  }

  #skipBlankLine(start: number): number {
    this.#row += 1
    this.#scanned += 1
    return start + 1
  }

  #takeRecord(cells: string[], start: number, end: number, records: CsvRecord[]): number {
    const row = ++this.#row
    if (cells.length === 1 && isBlank(cells)) return end
    const error = isBlank(cells) ? undefined : this.#widthError(cells, row)
    if (error && this.#pending.slice(start, end - 1).includes(this.#newline)) {
      records.push({ row, message: `${error} An unclosed quote may have joined lines.` })
      return this.#pending.indexOf(this.#newline, start) + 1
    }
    if (error) records.push({ row, message: error, cells })
    else records.push({ row, cells: this.#cut(cells, row) })
    return end
  }

  /** Reads the line as one whose quotes are letters, if that gives a record; otherwise the line is an error. */
  #readMalformed(start: number, isLast: boolean, error: string, records: CsvRecord[]): number | undefined {
    const lineEnd = this.#pending.indexOf(this.#newline, start)
    const isWhole = isLast || lineEnd >= 0 || this.#pending.length - start >= MAX_RECORD_LENGTH
    if (!isWhole) return undefined
    const row = ++this.#row
    const end = lineEnd < 0 ? this.#pending.length : lineEnd + 1
    const line = this.#pending.slice(start, end)
    const cells = this.#readRelaxed(line, row) ?? (row < this.#options.headerRow ? [line.trim()] : undefined)
    if (cells) records.push({ row, cells })
    else records.push({ row, message: error })
    this.#isSkipping = lineEnd < 0
    return end
  }

  #readRelaxed(line: string, row: number): string[] | undefined {
    if (line.length > MAX_RECORD_LENGTH) return undefined
    this.#scanned += line.length
    const split = splitRecord(line, 0, this.#relaxedOptions)
    const isRecord =
      split && 'cells' in split && split.end === line.length && !this.#widthError(split.cells, row)
    return isRecord ? this.#cut(split.cells, row) : undefined
  }

  #skipLine(start: number): number {
    const end = this.#pending.indexOf(this.#newline, start)
    this.#isSkipping = end < 0
    return end < 0 ? this.#pending.length : end + 1
  }

  #isFree(row: number): boolean {
    return this.#options.width === 0 || row < this.#options.headerRow
  }

  #cut(cells: string[], row: number): string[] {
    const { width } = this.#options
    return cells.length > width && !this.#isFree(row) ? cells.slice(0, width) : cells
  }

  #widthError(cells: string[], row: number): string | undefined {
    const { width } = this.#options
    if (this.#isFree(row) || cells.length === width) return undefined
    const hasSurplus = cells.some((cell, index) => index >= width && cell.length > 0)
    if (cells.length >= width && !hasSurplus) return undefined
    const found = `The row has ${cells.length === 1 ? '1 cell' : `${cells.length} cells`}`
    const expected = `${this.#options.headerRow > 0 ? 'the header has' : 'the others have'} ${width}.`
    return `${found}; ${expected}${hasSurplus ? SURPLUS : ''}`
  }
}

const SURPLUS = ' A cell that contains the separator needs quotes around it.'

/** Whether no cell has text. */
export const isBlank = (cells: readonly string[]): boolean => cells.every((cell) => cell.trim() === '')
