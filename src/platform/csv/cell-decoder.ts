import { isUtf8 } from 'node:buffer'
import iconv from 'iconv-lite'
import { printable } from '#src/platform/errors.ts'
import { yieldToEventLoop } from '#src/platform/event-loop.ts'
import { repairDoubleEncoding, repairEscapedBytes } from './encoding/double-encoding.ts'
import type { CsvRecord } from './read.ts'

/** Cells that were changed, and one of them. */
export interface Repairs {
  count: number
  example: { from: string; to: string } | undefined
}

/** As many cells are decoded at once. */
const MAX_TURN_CELLS = 1000

const NON_ASCII = /[\x80-\xff]/
/** Bytes that were encoded twice are two such characters, or more. */
const SUSPICIOUS = /[\x80-\uffff]{2}/
const ESCAPED = '\\x'

/** Turns the cells of one reading of a file into text, and counts what it repairs. */
export class CellDecoder {
  readonly #isByteText: boolean
  readonly #isVerbatim: boolean
  /** Cells that are not UTF-8 in a file that mostly is. */
  readonly otherCells: Repairs = { count: 0, example: undefined }
  readonly doubleEncoded: Repairs = { count: 0, example: undefined }
  readonly escapedBytes: Repairs = { count: 0, example: undefined }

  /**
   * @param isByteText whether each character stands for a byte of UTF-8 or Windows-1252
   * @param isVerbatim whether nothing is repaired
   */
  constructor(isByteText: boolean, isVerbatim: boolean) {
    this.#isByteText = isByteText
    this.#isVerbatim = isVerbatim
  }

  /** Decodes the cells of records, and lets the process serve others between them and within wide ones. */
  async decodeRecords(records: CsvRecord[]): Promise<void> {
    for (const record of records) {
      if (!record.cells) continue
      record.cells =
        record.cells.length > MAX_TURN_CELLS
          ? await this.#decodeWide(record.cells)
          : this.decode(record.cells)
      await yieldToEventLoop()
    }
  }

  async #decodeWide(cells: string[]): Promise<string[]> {
    const decoded: string[] = []
    for (let at = 0; at < cells.length; at += MAX_TURN_CELLS) {
      decoded.push(...this.decode(cells.slice(at, at + MAX_TURN_CELLS)))
      await yieldToEventLoop()
    }
    return decoded
  }

  /** Decodes the cells of one record. */
  decode(cells: string[]): string[] {
    const text = cells.join('\0')
    const decoded =
      this.#isByteText && NON_ASCII.test(text) ? cells.map((cell) => this.#fromBytes(cell)) : cells
    if (this.#isVerbatim) return decoded
    const isSuspicious = decoded === cells ? SUSPICIOUS.test(text) : true
    return isSuspicious || text.includes(ESCAPED) ? decoded.map((cell) => this.#repair(cell)) : decoded
  }

  #fromBytes(cell: string): string {
    if (!NON_ASCII.test(cell)) return cell
    const bytes = Buffer.from(cell, 'latin1')
    if (isUtf8(bytes)) return bytes.toString('utf8')
    const text = cell.replace(UTF8_OR_BYTE, decodeCharacter)
    count(this.otherCells, text, text)
    return text
  }

  #repair(cell: string): string {
    let text = cell
    if (cell.includes(ESCAPED)) text = counted(this.escapedBytes, text, repairEscapedBytes(text))
    if (SUSPICIOUS.test(text)) text = counted(this.doubleEncoded, text, repairDoubleEncoding(text))
    return text
  }
}

function counted(repairs: Repairs, from: string, to: string): string {
  if (from !== to) count(repairs, from, to)
  return to
}

function count(repairs: Repairs, from: string, to: string): void {
  repairs.count += 1
  repairs.example ??= excerpts(from, to)
}

const MAX_EXAMPLE_LENGTH = 40

/** The words where two texts begin to differ. */
function excerpts(from: string, to: string): { from: string; to: string } {
  let same = 0
  while (same < from.length && from[same] === to[same]) same += 1
  const start = from === to ? 0 : from.lastIndexOf(' ', same - 1) + 1
  const excerpt = (text: string) => printable(text.slice(start, start + MAX_EXAMPLE_LENGTH))
  return { from: excerpt(from), to: excerpt(to) }
}

const UTF8_OR_BYTE = /[\xc2-\xdf][\x80-\xbf]|[\xe0-\xef][\x80-\xbf]{2}|[\xf0-\xf4][\x80-\xbf]{3}|[\x80-\x9f]/g

/** A character of UTF-8 beside bytes of Windows-1252: a long text may have been cut inside a character. */
function decodeCharacter(character: string): string {
  if (character.length === 1) return WINDOWS_1252[character.charCodeAt(0) - 0x80] as string
  if (character.length === 2)
    return String.fromCharCode(((character.charCodeAt(0) & 0x1f) << 6) | (character.charCodeAt(1) & 0x3f))
  const bytes = Buffer.from(character, 'latin1')
  return isUtf8(bytes) ? bytes.toString('utf8') : iconv.decode(bytes, 'win1252')
}

/** Windows-1252 differs from Latin-1 in these 32 bytes only. */
const WINDOWS_1252 = iconv.decode(
  Buffer.from(Array.from({ length: 32 }, (_value, index) => 0x80 + index)),
  'win1252',
)
