import { endLongTurn } from '#src/platform/event-loop.ts'
import { BLOCK_BYTES, byteTextBlocks, decodeCells } from './encoding.ts'
import { type SplitOptions, splitRecord } from './split-record.ts'

/** A record of a CSV file. `row` counts as a spreadsheet does: the header is row 1. */
export interface CsvRow {
  row: number
  cells: string[]
}

/** A part of the file that is not a record. */
export interface CsvError {
  row: number
  message: string
}

export type CsvRecord = CsvRow | CsvError

const MAX_RECORD_BYTES = 1024 * 1024
const TOO_LONG = `The row is longer than ${MAX_RECORD_BYTES} bytes, or a quote that opens in it is not closed.`

/**
 * Reads a CSV file of any size, in batches of the records that end within 64 KB. The delimiter (comma, semicolon, tab
 * or vertical bar) is detected from the header. Cells are UTF-8 or else Windows-1252; a file with a byte order mark may
 * be UTF-16. A malformed record (an unclosed quote, more or fewer cells than the header, over 1 MB) is an error, and
 * reading continues on the next line.
 */
export async function* readCsv(input: AsyncIterable<Buffer>): AsyncGenerator<CsvRecord[]> {
  const reader = new CsvReader()
  for await (const block of byteTextBlocks(input)) {
    for (const records of reader.read(block, false)) {
      yield records
      await endLongTurn()
    }
  }
  for (const records of reader.read('', true)) {
    yield records
    await endLongTurn()
  }
}

/**
 * Reads the text of a file block by block. We split records ourselves: after a malformed one, csv-parse needs a new
 * parser that reads the same bytes again, and 1 MB of blank lines alone takes it 0.6 s.
 *
 * The time is linear. A record that starts on a line with an even number of quotes ends on that line, and one that
 * starts on a line with an odd number ends on the next such line, so restarts scan a character three times at most.
 */
export class CsvReader {
  /** A character code; 0 until it is detected. */
  #delimiter = 0
  /** The last character of a line end. */
  #newline = '\n'
  /** The text from the start of the first record that is not complete. */
  #pending = ''
  /** The length of `#pending` at which another try to read it is worthwhile. */
  #retryLength = 0
  #row = 0
  #width = 0
  /** Whether the rest of the line is part of a malformed record. */
  #isSkipping = false
  #scanned = 0

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
    if (this.#delimiter > 0 || this.#detectFormat(isLast))
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
    this.#retryLength = Math.min(this.#pending.length * 2, MAX_RECORD_BYTES + 1)
    yield records
  }

  #detectFormat(isLast: boolean): boolean {
    this.#scanned += this.#pending.length
    this.#delimiter = delimiterOf(this.#pending, isLast)?.charCodeAt(0) ?? 0
    const end = this.#pending.indexOf('\r')
    const hasOldLineEnds = this.#delimiter > 0 && end >= 0 && !this.#pending.slice(0, end + 2).includes('\n')
    if (hasOldLineEnds && end + 1 < this.#pending.length) this.#newline = '\r'
    return this.#delimiter > 0
  }

  /** Reads one record. Returns where the next one starts, or undefined when more text is needed. */
  #readRecord(start: number, isLast: boolean, records: CsvRecord[]): number | undefined {
    if (this.#pending[start] === '\n') return this.#skipBlankLine(start)
    const available = this.#pending.length - start
    const split = splitRecord(this.#pending, start, this.#options(isLast, false))
    this.#scanned += split ? split.end - start : available
    if (!split)
      return available > MAX_RECORD_BYTES ? this.#readMalformed(start, true, TOO_LONG, records) : undefined
    if ('fault' in split) return this.#readMalformed(start, isLast, split.fault, records)
    const { cells, end } = split
    if (end - start > MAX_RECORD_BYTES) return this.#readMalformed(start, isLast, TOO_LONG, records)
    return this.#takeRecord(cells, start, end, records)
  }

  #skipBlankLine(start: number): number {
    this.#row += 1
    this.#scanned += 1
    return start + 1
  }

  #takeRecord(cells: string[], start: number, end: number, records: CsvRecord[]): number {
    const fault = this.#widthFault(cells)
    const row = ++this.#row
    if (fault && this.#pending.slice(start, end - 1).includes(this.#newline)) {
      records.push({ row, message: `${fault} An unclosed quote may have joined lines.` })
      return this.#pending.indexOf(this.#newline, start) + 1
    }
    if (fault) records.push({ row, message: fault })
    else if (!isBlank(cells)) {
      this.#width ||= cells.length
      records.push({
        row,
        cells: decodeCells(cells.length > this.#width ? cells.slice(0, this.#width) : cells),
      })
    }
    return end
  }

  /** Reads the line as one whose quotes are letters, if that gives a record; otherwise the line is an error. */
  #readMalformed(start: number, isLast: boolean, fault: string, records: CsvRecord[]): number | undefined {
    const lineEnd = this.#pending.indexOf(this.#newline, start)
    const isWhole = isLast || lineEnd >= 0 || this.#pending.length - start >= MAX_RECORD_BYTES
    if (!isWhole) return undefined
    const row = ++this.#row
    const end = lineEnd < 0 ? this.#pending.length : lineEnd + 1
    const cells = this.#readRelaxed(this.#pending.slice(start, end))
    if (cells) records.push({ row, cells: decodeCells(cells) })
    else records.push({ row, message: fault })
    this.#isSkipping = lineEnd < 0
    return end
  }

  #readRelaxed(line: string): string[] | undefined {
    if (this.#width === 0 || line.length > MAX_RECORD_BYTES) return undefined
    this.#scanned += line.length
    const split = splitRecord(line, 0, this.#options(true, true))
    const isRecord = split && 'cells' in split && split.end === line.length && !this.#widthFault(split.cells)
    return isRecord ? split.cells.slice(0, this.#width) : undefined
  }

  #skipLine(start: number): number {
    const end = this.#pending.indexOf(this.#newline, start)
    this.#isSkipping = end < 0
    return end < 0 ? this.#pending.length : end + 1
  }

  #options(isLast: boolean, isRelaxed: boolean): SplitOptions {
    return { delimiter: this.#delimiter, isLast, isRelaxed }
  }

  #widthFault(cells: string[]): string | undefined {
    if (this.#width === 0 || cells.length === this.#width || isBlank(cells)) return undefined
    const hasSurplus = cells.some((cell, index) => index >= this.#width && cell.length > 0)
    if (cells.length >= this.#width && !hasSurplus) return undefined
    return `The row has ${cells.length} cells; the header has ${this.#width}.`
  }
}

const isBlank = (cells: string[]) => cells.length === 1 && cells[0] === ''

/** The most frequent candidate outside quotes in the first line that is not blank; undefined if more text is needed. */
function delimiterOf(start: string, isLast: boolean): string | undefined {
  const text = start.replace(/^[\r\n]+/, '').replace(/"[^"]*"/g, '')
  const end = text.search(/[\r\n]/)
  if (end < 0 && !isLast && start.length < MAX_RECORD_BYTES) return undefined
  const line = end < 0 ? text : text.slice(0, end)
  const counts = [',', ';', '\t', '|'].map((delimiter) => ({
    delimiter,
    count: line.split(delimiter).length,
  }))
  return counts.reduce((best, candidate) => (candidate.count > best.count ? candidate : best)).delimiter
}
