/** A record's cells, and where the next record starts. */
interface SplitRecord {
  cells: string[]
  end: number
}

interface Fault {
  fault: string
  /** Where the fault was found. */
  end: number
}

export interface SplitOptions {
  /** The character code of the delimiter. */
  delimiter: number
  /** Whether the file ends with the text. */
  isLast: boolean
  /** Whether quotes inside a cell are letters, as in `12" pipe`. */
  isRelaxed: boolean
}

const QUOTE = 0x22
const LINE_FEED = 0x0a
const CARRIAGE_RETURN = 0x0d

const NOT_CLOSED = 'A quote that opens in this row is not closed.'
const OPENS_LATE = 'A quote opens in the middle of a cell of this row.'

/**
 * Splits the record that starts at `start` into its cells (RFC 4180; lines end with CRLF, LF or CR).
 * @returns undefined when the record continues after the text
 */
export function splitRecord(
  text: string,
  start: number,
  options: SplitOptions,
): SplitRecord | Fault | undefined {
  const cells: string[] = []
  for (let cellStart = start; ; ) {
    const isQuoted = text.charCodeAt(cellStart) === QUOTE
    const cell = isQuoted ? quotedCell(text, cellStart, options) : plainCell(text, cellStart, options)
    if (cell === undefined || 'fault' in cell) return cell
    cells.push(cell.value)
    const { end } = cell
    if (text.charCodeAt(end) === options.delimiter) {
      cellStart = end + 1
      continue
    }
    if (text.charCodeAt(end) !== CARRIAGE_RETURN) return { cells, end: Math.min(end + 1, text.length) }
    if (end + 1 === text.length && !options.isLast) return undefined
    return { cells, end: text.charCodeAt(end + 1) === LINE_FEED ? end + 2 : end + 1 }
  }
}

interface Cell {
  value: string
  /** The position of the delimiter or line end after the cell. */
  end: number
}

function plainCell(
  text: string,
  start: number,
  { delimiter, isLast, isRelaxed }: SplitOptions,
): Cell | Fault | undefined {
  for (let at = start; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === delimiter || code === LINE_FEED || code === CARRIAGE_RETURN)
      return { value: text.slice(start, at), end: at }
    if (code === QUOTE && !isRelaxed) return { fault: OPENS_LATE, end: at }
  }
  return isLast ? { value: text.slice(start), end: text.length } : undefined
}

function quotedCell(text: string, start: number, options: SplitOptions): Cell | Fault | undefined {
  const { delimiter, isLast, isRelaxed } = options
  let close = text.indexOf('"', start + 1)
  while (close >= 0 && text.charCodeAt(close + 1) === QUOTE) {
    close += 2
    if (text.charCodeAt(close) !== QUOTE) close = text.indexOf('"', close)
  }
  if (close < 0) return isLast ? { fault: NOT_CLOSED, end: text.length } : undefined
  const end = close + 1
  if (end === text.length && !isLast) return undefined
  const code = text.charCodeAt(end)
  const value = text.slice(start + 1, close).replaceAll('""', '"')
  if (end === text.length || code === delimiter || code === LINE_FEED || code === CARRIAGE_RETURN)
    return { value, end }
  if (!isRelaxed) return { fault: NOT_CLOSED, end }
  const rest = plainCell(text, close, options)
  return rest && 'value' in rest ? { value: `"${value}${rest.value}`, end: rest.end } : rest
}
