import { yieldToEventLoop } from '#src/platform/event-loop.ts'
import type { FileStart } from './file-start.ts'
import { CsvReader, type CsvRow, isBlank } from './read.ts'
import { DELIMITERS, type Delimiter, type Dialect } from './split-record.ts'

export interface DetectedDialect {
  dialect: Dialect
  /** null: each line is one cell, or a line of the file names another character. */
  delimiter: Delimiter | null
  /** Rows at the start that say how the file is written. */
  formatRows: number
}

interface DialectOptions {
  delimiter?: Delimiter | undefined
  escapedQuotes: { inside: number; atEnd: number }
  isColumnName: (name: string) => boolean
}

const DETECTED_RECORDS = 50
const DETECTED_LENGTH = 128 * 1024
/** Stands for the delimiter of a file that has one column. Text does not have this character. */
const NO_DELIMITER = '\x1f'

/** Recognizes delimiter, quotes, and line ends from the start of a file. */
export async function detectDialect(start: FileStart, options: DialectOptions): Promise<DetectedDialect> {
  const named = separatorLine(start.text)
  const base = {
    quote: hasSingleQuotes(start.text) ? ("'" as const) : ('"' as const),
    hasBackslashes: hasBackslashes(options.escapedQuotes),
    newline: newlineOf(start.text),
  }
  const delimiter =
    options.delimiter ?? named ?? (await detectDelimiter(start, base, options.isColumnName)) ?? NO_DELIMITER
  return {
    dialect: { ...base, delimiter },
    delimiter: DELIMITERS.find((known) => known === delimiter) ?? null,
    formatRows: named ? 1 : 0,
  }
}

/** Spreadsheets read a first line such as `sep=;`. */
const SEPARATOR_LINE = /^"?sep=(\\t|[^\s"\w]|\t)"?[,;\t|]*(?:[\r\n]|$)/i

function separatorLine(text: string): string | undefined {
  const named = SEPARATOR_LINE.exec(text.slice(0, 40))?.[1]
  return named === '\\t' ? '\t' : named
}

/** Excel's old line ends are a carriage return alone. */
function newlineOf(text: string): '\n' | '\r' {
  const end = text.indexOf('\r')
  const isOld = end >= 0 && end + 1 < text.length && !text.slice(0, end + 2).includes('\n')
  return isOld ? '\r' : '\n'
}

/** Whether a backslash stands before quotes inside of cells, where plain CSV has none. */
const hasBackslashes = ({ inside, atEnd }: { inside: number; atEnd: number }): boolean =>
  inside > 0 && inside * 4 >= atEnd

const SINGLE_QUOTED = /^'[^'\r\n]*'(?:[,;\t|] ?'[^'\r\n]*')+\s*$/

const hasSingleQuotes = (text: string): boolean =>
  text
    .slice(0, 20_000)
    .split(/[\r\n]+/, 5)
    .some((line) => SINGLE_QUOTED.test(line))

/** undefined: the file has one column. */
async function detectDelimiter(
  start: FileStart,
  base: Omit<Dialect, 'delimiter'>,
  isColumnName: (name: string) => boolean,
): Promise<Delimiter | undefined> {
  const lines = firstRows(start, { ...base, delimiter: NO_DELIMITER }, DETECTED_RECORDS)
  let best: { delimiter: Delimiter | undefined; score: number } = {
    delimiter: undefined,
    score: scoreOf(lines, isColumnName),
  }
  const nameRow = loneNameRow(lines, isColumnName)
  for (const delimiter of DELIMITERS) {
    await yieldToEventLoop()
    const rows = firstRows(start, { ...base, delimiter }, DETECTED_RECORDS)
    if (nameRow !== undefined && !isTableBelow(nameRow, rows, isColumnName)) continue
    const score = scoreOf(rows, isColumnName)
    if (score > best.score) best = { delimiter, score }
  }
  return best.delimiter
}

/** A list of one column has its name in one of as many rows. */
const LIST_HEADER_ROWS = 5
const ANY_DELIMITER = new RegExp(`[${DELIMITERS.join('')}]`)

/** The row of a column name that stands alone on its line, such as that of a list of names. */
function loneNameRow(lines: CsvRow[], isColumnName: (name: string) => boolean): number | undefined {
  const isLoneName = ([cell = '', ...others]: string[]) =>
    others.length === 0 && !ANY_DELIMITER.test(cell) && knownNames([cell], isColumnName) === 1
  return lines.slice(0, LIST_HEADER_ROWS).find(({ cells }) => isLoneName(cells))?.row
}

/**
 * Whether the rows are a table under a title that happens to be a column name: one of them has column names, or nearly
 * all have as many cells, without the space that follows a comma in `Fjell, Inc.`.
 */
function isTableBelow(title: number, rows: CsvRow[], isColumnName: (name: string) => boolean): boolean {
  if (rows.some(({ cells }) => knownNames(cells, isColumnName) > 1)) return true
  const below = rows.filter(({ row }) => row > title)
  const width = commonWidth(below)
  const isTableRow = ({ cells }: CsvRow) =>
    cells.length === width && !cells.some((cell, index) => index > 0 && /^\s+\S/.test(cell.slice(0, 10)))
  return width > 1 && below.filter(isTableRow).length >= 0.8 * below.length
}

/** How well the rows form a table: most have the same number of cells, also that with the column names. */
function scoreOf(rows: CsvRow[], isColumnName: (name: string) => boolean): number {
  if (rows.length === 0) return 0
  const width = commonWidth(rows)
  const share = rows.filter(({ cells }) => cells.length === width).length / rows.length
  const known = rows.map(({ cells }) => (cells.length === width ? knownNames(cells, isColumnName) : 0))
  const names = Math.min(Math.max(...known), 4)
  const hasHeader = names > 0 || rows[0]?.cells.length === width
  const columns = width === 1 ? 0.6 : 1 + Math.log2(width)
  return share * columns * (1 + names / 2) * (hasHeader ? 1 : 0.6)
}

export const knownNames = (cells: string[], isColumnName: (name: string) => boolean): number =>
  new Set(cells.map((cell) => cell.trim()).filter((cell) => cell.length <= 200 && cell && isColumnName(cell)))
    .size

/** The number of cells that most rows with several cells have. */
export function commonWidth(rows: readonly CsvRow[]): number {
  const counts = new Map<number, number>()
  for (const { cells } of rows) counts.set(cells.length, (counts.get(cells.length) ?? 0) + 1)
  const widths = [...counts].filter(([width]) => width > 1)
  const [width] = widths.sort(([a, m], [b, n]) => n - m || b - a)[0] ?? [1]
  return width
}

/** A blank row, read with another delimiter. */
const isFiller = (cell: string): boolean => /^[,;\t| ]*$/.test(cell)

/** The first rows that are not blank, with any number of cells. */
export function firstRows(start: FileStart, dialect: Dialect, count: number): CsvRow[] {
  // A batch may have thousands of rows. Only those that are wanted are decoded.
  const reader = new CsvReader({ dialect, headerRow: 0, width: 0 })
  const rows: CsvRow[] = []
  const text = start.text.slice(0, DETECTED_LENGTH)
  for (const batch of reader.read(text, start.isWhole && text.length === start.text.length))
    for (const record of batch) {
      const { row } = record
      const cells = record.cells && start.decode(record.cells)
      if (cells && !isBlank(cells) && !cells.every(isFiller)) rows.push({ row, cells })
      if (rows.length === count) return rows
    }
  return rows
}
