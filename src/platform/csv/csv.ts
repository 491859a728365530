import { setImmediate } from 'node:timers/promises'
import { TextDecoder } from 'node:util'
import { type Options, type Parser, parse } from 'csv-parse'
import { parse as parseSync } from 'csv-parse/sync'
import { stringify } from 'csv-stringify/sync'
import iconv from 'iconv-lite'

/** A record of a CSV file. `row` counts as a spreadsheet does: the header is row 1. */
export interface CsvRow {
  row: number
  cells: string[]
}

/** A piece of the file that is not a record. */
export interface CsvError {
  row: number
  message: string
}

const MAX_RECORD_BYTES = 1024 * 1024
const FIRST_SLICE = 512
const LINE_FEED = 0x0a
const CARRIAGE_RETURN = 0x0d

/**
 * Reads a CSV file of any size. The delimiter (comma, semicolon, tab or bar) is taken from the header; text is UTF-8,
 * cell by cell else Windows-1252, or UTF-16 with its byte order mark. A malformed record (a quote never closed, too
 * many or too few cells, over 1 MB) is a fault, and reading goes on at the next line.
 */
export async function* readCsv(input: AsyncIterable<Buffer>): AsyncGenerator<CsvRow | CsvError> {
  const reader = new CsvReader()
  for await (const chunk of asUtf8(input)) yield* reader.read(chunk, false)
  yield* reader.read(Buffer.alloc(0), true)
}

class CsvReader {
  #parser: RecordParser | undefined
  /** What stopped the parser. */
  #error: Error | undefined
  #delimiter: string | undefined
  /** The last byte of a line's end. */
  #newline = LINE_FEED
  /** After a malformed record the parser gets little at first, or it would read the same bytes again and again. */
  #slice = Number.POSITIVE_INFINITY
  /** Bytes from the start of the first record that is not finished. */
  #pending: Buffer = Buffer.alloc(0)
  /** How much of `#pending` the parser has had. */
  #fed = 0
  #row = 0
  #width = 0
  /** Set while the rest of an oversized line is passed over. */
  #skipping = false

  async *read(chunk: Buffer, last: boolean): AsyncGenerator<CsvRow | CsvError> {
    this.#pending = Buffer.concat([this.#pending, chunk])
    if (!this.#delimiter) this.#recognize(last)
    if (!this.#delimiter) return
    for (;;) {
      if (this.#skipping && !this.#skipLine()) return
      const records = await this.#parse(last)
      const restart = yield* this.#take(records, last)
      if (restart) await setImmediate()
      else if (this.#error || this.#fed >= this.#pending.length) return
    }
  }

  async #parse(last: boolean): Promise<ParsedRecord[]> {
    if (this.#error) return []
    this.#parser ??= new RecordParser(this.#delimiter as string)
    const end = Math.min(this.#pending.length, this.#fed + this.#slice)
    const bytes = this.#pending.subarray(this.#fed, end)
    const { records, error } = await this.#parser.parse(bytes, last && end === this.#pending.length)
    this.#fed = end
    this.#slice *= 2
    this.#error = error
    return records
  }

  #recognize(last: boolean): void {
    this.#delimiter = delimiterOf(this.#pending, last)
    const end = this.#pending.indexOf(CARRIAGE_RETURN)
    const hasOldLineEnds =
      this.#delimiter && end >= 0 && !this.#pending.subarray(0, end + 2).includes(LINE_FEED)
    if (hasOldLineEnds && end + 1 < this.#pending.length) this.#newline = CARRIAGE_RETURN
  }

  /** Yields the finished records. Returns whether there is more to read after a malformed one. */
  *#take(records: ParsedRecord[], last: boolean): Generator<CsvRow | CsvError, boolean> {
    let start = 0
    for (const { cells, length } of records) {
      const fault = this.#faultOf(cells)
      const row = ++this.#row
      if (fault && this.#pending.subarray(start, start + length - 1).includes(this.#newline)) {
        yield { row, message: `${fault} A quote that is not closed may have joined lines.` }
        this.#restartAfterLine(start)
        return true
      }
      if (fault) yield { row, message: fault }
      else if (cells.length > 1 || cells[0]?.length) {
        this.#width ||= cells.length
        yield { row, cells: cells.slice(0, this.#width).map(decode) }
      }
      start += length
    }
    // To read a line in a looser way, it has to be here as a whole.
    const isWhole =
      last || this.#pending.includes(this.#newline, start) || this.#pending.length >= MAX_RECORD_BYTES
    if (this.#error && isWhole) {
      const row = ++this.#row
      const cells = this.#readLoosely(start)
      yield cells ? { row, cells: cells.map(decode) } : { row, message: explained(this.#error) }
      this.#restartAfterLine(start)
      return true
    }
    this.#pending = this.#pending.subarray(start)
    this.#fed -= start
    return false
  }

  /** The cells of a line whose quotes are used as letters, such as `12" pipe`; undefined when that is not it. */
  #readLoosely(start: number): Buffer[] | undefined {
    const end = this.#pending.indexOf(this.#newline, start)
    if (end < 0 || this.#width === 0) return undefined
    try {
      const options = { ...parserOptions(this.#delimiter as string), relax_quotes: true }
      const [cells] = parseSync(this.#pending.subarray(start, end + 1), options) as unknown as Buffer[][]
      return cells && !this.#faultOf(cells) ? cells.slice(0, this.#width) : undefined
    } catch {
      return undefined
    }
  }

  #faultOf(cells: Buffer[]): string | undefined {
    const isBlank = cells.length === 1 && cells[0]?.length === 0
    const surplus = cells.slice(this.#width).some((cell) => cell.length > 0)
    if (this.#width === 0 || isBlank || (cells.length >= this.#width && !surplus)) return undefined
    return `The row has ${cells.length} cells; the header has ${this.#width}.`
  }

  #restartAfterLine(start: number): void {
    this.#pending = this.#pending.subarray(start)
    this.#fed = 0
    this.#parser = undefined
    this.#slice = FIRST_SLICE
    this.#error = undefined
    this.#skipping = true
  }

  /** Passes over the rest of the line. Returns whether its end has been reached. */
  #skipLine(): boolean {
    const end = this.#pending.indexOf(this.#newline)
    this.#pending = end < 0 ? Buffer.alloc(0) : this.#pending.subarray(end + 1)
    this.#fed = 0
    this.#skipping = end < 0
    return end >= 0
  }
}

const parserOptions = (delimiter: string): Options => ({
  delimiter,
  encoding: null,
  relax_column_count: true,
  record_delimiter: ['\r\n', '\n', '\r'],
  max_record_size: MAX_RECORD_BYTES,
})

interface ParsedRecord {
  cells: Buffer[]
  /** In bytes, with its line end. */
  length: number
}

/** The library's parser, made to give the records of a chunk and the error that stopped it, if one did. */
class RecordParser {
  readonly #parser: Parser
  #records: { record: Buffer[]; info: { bytes: number } }[] = []
  #error: Error | undefined
  #end = 0

  constructor(delimiter: string) {
    this.#parser = parse({ ...parserOptions(delimiter), info: true })
    this.#parser.on('data', (record) => this.#records.push(record))
    this.#parser.on('error', (error) => {
      this.#error = error
    })
  }

  async parse(bytes: Buffer, last: boolean): Promise<{ records: ParsedRecord[]; error: Error | undefined }> {
    await new Promise<void>((resolve) => this.#parser.write(bytes, () => resolve()))
    if (last && !this.#error) {
      const closed = new Promise((resolve) => this.#parser.once('close', resolve))
      this.#parser.end()
      await closed
    }
    const records = this.#records.map(({ record, info }) => {
      const length = info.bytes - this.#end
      this.#end = info.bytes
      return { cells: record, length }
    })
    this.#records = []
    return { records, error: this.#error }
  }
}

function explained(error: Error): string {
  const { code } = error as Error & { code?: string }
  if (code === 'CSV_QUOTE_NOT_CLOSED' || code === 'CSV_INVALID_CLOSING_QUOTE')
    return 'A quote that opens in this row is not closed.'
  if (code === 'CSV_INVALID_OPENING_QUOTE') return 'A quote opens in the middle of a cell of this row.'
  if (code === 'CSV_MAX_RECORD_SIZE')
    return `The row is longer than ${MAX_RECORD_BYTES} bytes, or a quote that opens in it is not closed.`
  return `The row is not valid CSV: ${error.message}.`
}

/** The most frequent candidate outside of quotes in the first line that is not blank; undefined to wait for more. */
function delimiterOf(start: Buffer, last: boolean): string | undefined {
  const text = start
    .toString('latin1')
    .replace(/^[\r\n]+/, '')
    .replace(/"[^"]*"/g, '')
  const end = text.search(/[\r\n]/)
  if (end < 0 && !last && start.length < MAX_RECORD_BYTES) return undefined
  const line = end < 0 ? text : text.slice(0, end)
  const counts = [',', ';', '\t', '|'].map((delimiter) => ({
    delimiter,
    count: line.split(delimiter).length,
  }))
  return counts.reduce((best, candidate) => (candidate.count > best.count ? candidate : best)).delimiter
}

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

function decode(cell: Buffer): string {
  try {
    return utf8.decode(cell)
  } catch {
    // Node 24's own TextDecoder takes Windows-1252 for Latin-1.
    return iconv.decode(cell, 'win1252')
  }
}

/** The stream without its byte order mark, and from UTF-16 to UTF-8 when the mark says so. */
async function* asUtf8(input: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let utf16: TextDecoder | undefined
  let start: Buffer | undefined = Buffer.alloc(0)
  for await (const chunk of input) {
    if (!start) {
      yield utf16 ? Buffer.from(utf16.decode(chunk, { stream: true })) : chunk
      continue
    }
    start = Buffer.concat([start, chunk])
    if (start.length < 3) continue
    const mark = start.toString('latin1', 0, 3)
    if (mark.startsWith('\xff\xfe')) utf16 = new TextDecoder('utf-16le')
    else if (mark.startsWith('\xfe\xff')) utf16 = new TextDecoder('utf-16be')
    yield utf16
      ? Buffer.from(utf16.decode(start, { stream: true }))
      : start.subarray(mark === '\xef\xbb\xbf' ? 3 : 0)
    start = undefined
  }
  if (start?.length) yield start
}

/** Rows as CSV (RFC 4180). */
export const writeCsv = (rows: unknown[][]): string =>
  stringify(rows, { record_delimiter: '\r\n', quoted_match: /[\r\n]/ })

/** A cell that a spreadsheet would run as a formula, behind an apostrophe; one that looks so already gets another. */
const FORMULA = /^'*[=+\-@\t\r\uff1d\uff0b\uff0d\uff20]/

/** A text as a cell that no spreadsheet runs (OWASP, CSV injection). `plainText` takes it back. */
export const harmlessCell = (text: string): string => (FORMULA.test(text) ? `'${text}` : text)

/** The text of a cell that `harmlessCell` made. */
export const plainText = (cell: string): string =>
  cell.startsWith("'") && FORMULA.test(cell) ? cell.slice(1) : cell
