import { printable } from '#src/platform/errors.ts'
import { truncate } from '#src/platform/truncate.ts'
import { isFooter, isSentence, isTotal } from './footer.ts'
import type { CsvError, CsvRecord, CsvRow } from './read.ts'
import { kindOf } from './value-kind.ts'

/** A row of the table, a row that could not be read, or a row that is not part of the table, with the reason. */
export type TableRecord =
  | { row: number; cells: string[] }
  | { row: number; message: string }
  | { row: number; cells: string[]; leftOut: string }

const ABOVE = 'The row is above the column names.'
const REPEATED = 'The row repeats the column names.'
const SEPARATOR = 'The row is a line between rows.'
const FOOTER = 'The row looks like a footer of the file.'
const TOTAL = 'The row looks like a total.'

/** A footer has at most as many rows. */
const MAX_HELD = 50
/** As many lines of it may look like rows of the table. */
const MAX_OTHER_LINES = 3

/** A row of dashes and the like. */
const RULE = /^[-=_*–—:+|\s]{3,}$/

/** A row that may belong to a footer, or be cut by a line break. */
interface Held {
  record: CsvRecord
  cells: string[]
  isSparse: boolean
  isAfterBlank: boolean
}

/**
 * Tells the rows of a table from what surrounds them. A row with little text waits for the next full one: at the end of
 * the file, it may be a footer.
 */
export class TableRows {
  readonly #headerRow: number
  readonly #header: string[] | undefined
  readonly #width: number
  readonly #held: Held[] = []
  #lastRow = 0
  /** The last row that has as many cells as the header. */
  #lastFull: CsvRow | undefined
  /** A row that goes on in the next one. */
  #cut: CsvError | undefined

  /** @param header the cells of the header; undefined if there is none */
  constructor(headerRow: number, header: string[] | undefined, width: number) {
    this.#headerRow = headerRow
    this.#header = header
    this.#width = width
  }

  /** The records that are decided now. */
  add(records: CsvRecord[]): TableRecord[] {
    const decided: TableRecord[] = []
    for (const record of records) this.#add(record, decided)
    return decided
  }

  /** The records at the end of the file. */
  end(): TableRecord[] {
    const decided: TableRecord[] = []
    this.#releaseFooter(decided)
    return decided
  }

  #add(record: CsvRecord, decided: TableRecord[]): void {
    const cells = record.cells ?? []
    if (record.row < this.#headerRow) decided.push({ row: record.row, cells, leftOut: ABOVE })
    if (record.row <= this.#headerRow) return
    const isAfterBlank = record.row > this.#lastRow + 1 && this.#lastRow > 0
    this.#lastRow = record.row
    const isSparse = record.cells !== undefined && (this.#isNearlyBlank(cells) || isTotal(cells))
    if (this.#isHeader(cells)) {
      // The footer of a page is above the next page's column names.
      this.#releaseFooter(decided)
      decided.push({ row: record.row, cells, leftOut: REPEATED })
    } else if (isSparse || cells.length < this.#width) {
      this.#held.push({ record, cells, isSparse, isAfterBlank })
      if (this.#held.length > MAX_HELD) this.#release(1, decided)
    } else {
      this.#release(this.#held.length, decided)
      this.#decide(record, decided)
    }
  }

  /** Whether one cell has text, or a second one behind a colon. */
  #isNearlyBlank(cells: string[]): boolean {
    const first = cells.findIndex((cell) => cell.trim() !== '')
    const second = cells.findIndex((cell, index) => index > first && cell.trim() !== '')
    if (second < 0) return true
    if (this.#width === 2 || !cells[first]?.trimEnd().endsWith(':')) return false
    return cells.findIndex((cell, index) => index > second && cell.trim() !== '') < 0
  }

  #isHeader(cells: string[]): boolean {
    const header = this.#header
    if (header === undefined || cells[0]?.trim() !== header[0]) return false
    return header.every((name, index) => (cells[index]?.trim() ?? '') === name)
  }

  /** Releases the oldest rows as rows of the table. */
  #release(count: number, decided: TableRecord[]): void {
    for (let left = count; left > 0; left--) {
      const held = this.#held.shift()
      if (held) this.#decide(held.record, decided)
    }
  }

  #releaseFooter(decided: TableRecord[]): void {
    this.#release(this.#footerStart(), decided)
    for (const { record, cells } of this.#held.splice(0))
      decided.push({ row: record.row, cells, leftOut: isTotal(cells) ? TOTAL : FOOTER })
  }

  /** The held row from which on all are a footer. Some of its lines, such as an address, do not look like one. */
  #footerStart(): number {
    const allowed = this.#width > 1 ? MAX_OTHER_LINES : 0
    let start = this.#held.length
    let others = 0
    for (let index = start - 1; index >= 0 && others <= allowed; index--) {
      const held = this.#held[index] as Held
      if (!held.isSparse) break
      if (this.#startsFooter(held)) start = index
      else others += 1
    }
    return start
  }

  #startsFooter({ cells, isAfterBlank }: Held): boolean {
    const [first = '', ...others] = cells.map((cell) => cell.trim()).filter((cell) => cell !== '')
    if (isTotal(cells)) return others.length > 0 || this.#width > 1
    if (others.length > 0) return first.endsWith(':') && isFooter(`${first} ${others[0]}`)
    return isFooter(first) || (isAfterBlank && isSentence(first))
  }

  #decide(record: CsvRecord, decided: TableRecord[]): void {
    const { row, cells = [] } = record
    if (isRule(cells)) decided.push({ row, cells, leftOut: SEPARATOR })
    else if ('message' in record) decided.push(this.#explained(record))
    else {
      this.#lastFull = record
      decided.push(record)
    }
  }

  /** Says where a line break without quotes may have cut a row. */
  #explained(record: CsvError): TableRecord {
    const { row, message, cells = [] } = record
    const before = this.#cut
    const next = this.#held[0]?.record ?? record
    this.#cut = this.#isContinued(record, next) ? record : undefined
    if (this.#cut) return { row, message: `${message} ${CONTINUES} row ${next.row}.` }
    if (before && this.#isContinued(before, record)) return { row, message: `${message} ${cutIn(before)}` }
    return cells.length === 1 && this.#lastFull && endsInText(this.#lastFull)
      ? { row, message: `${message} ${cutIn(this.#lastFull)}` }
      : { row, message }
  }

  #isContinued({ row, cells }: CsvRecord, next: CsvRecord): boolean {
    if (!cells || !next.cells || next.row !== row + 1 || cells.length >= this.#width) return false
    return cells.length > 1 && cells.length + next.cells.length - 1 === this.#width
  }
}

const CONTINUES = 'It probably contains a line break without quotes, and continues in'

function cutIn({ row, cells = [] }: CsvRecord): string {
  const name = cells.find((cell) => /\p{L}/u.test(cell.slice(0, 200)))?.trim() ?? ''
  const named = name === '' ? '' : ` (${printable(truncate(name, MAX_NAME_LENGTH))})`
  return `Row ${row}${named} probably contains a line break without quotes, so its text ends early.`
}

const MAX_NAME_LENGTH = 60

const endsInText = ({ cells }: CsvRow): boolean => {
  const last = cells.at(-1)?.trim() ?? ''
  return last !== '' && kindOf(last) === 'text'
}

function isRule(cells: string[]): boolean {
  const first = cells.find((cell) => cell.trim() !== '')
  return (
    first !== undefined && RULE.test(first) && cells.every((cell) => cell.trim() === '' || RULE.test(cell))
  )
}
