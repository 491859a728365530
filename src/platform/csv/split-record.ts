/** A record's cells, and where the next record starts. */
interface SplitRecord {
  cells: string[]
  end: number
}

interface SplitError {
  error: string
  /** Where the error was found. */
  end: number
}

export const DELIMITERS = [',', ';', '\t', '|'] as const
export type Delimiter = (typeof DELIMITERS)[number]

/** How the records of a file are written. */
export interface Dialect {
  /** One character; a line that names it may choose any. */
  delimiter: string
  quote: '"' | "'"
  /** Whether a backslash before a quote makes it a letter. */
  hasBackslashes: boolean
  /** The last character of a line end. */
  newline: '\n' | '\r'
}

export interface SplitOptions extends Dialect {
  /** Whether the file ends with the text. */
  isLast: boolean
  /** Whether quotes inside a cell are letters, as in `12" pipe`. */
  isRelaxed: boolean
}

const LINE_FEED = 0x0a
const CARRIAGE_RETURN = 0x0d
const SPACE = 0x20
const BACKSLASH = 0x5c

const NOT_CLOSED = 'A quote that opens in this row is not closed.'
const OPENS_LATE = 'A quote opens in the middle of a cell of this row.'

/**
 * Splits the record that starts at `start` into its cells (RFC 4180; lines end with CRLF, LF or CR). Spaces may surround
 * the quotes of a cell.
 * @returns undefined when the record continues after the text
 */
export function splitRecord(
  text: string,
  start: number,
  options: SplitOptions,
): SplitRecord | SplitError | undefined {
  const cells: string[] = []
  const delimiter = options.delimiter.charCodeAt(0)
  for (let cellStart = start; ; ) {
    const cell = nextCell(text, cellStart, options)
    if (cell === undefined || 'error' in cell) return cell
    cells.push(cell.value)
    const { end } = cell
    if (text.charCodeAt(end) === delimiter) {
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

function nextCell(text: string, start: number, options: SplitOptions): Cell | SplitError | undefined {
  const quote = options.quote.charCodeAt(0)
  if (text.charCodeAt(start) === quote) return quotedCell(text, start, options)
  if (text.charCodeAt(start) !== SPACE || options.isRelaxed) return plainCell(text, start, options)
  const first = afterSpaces(text, start)
  return text.charCodeAt(first) === quote
    ? quotedCell(text, first, options)
    : plainCell(text, start, options, first)
}

function afterSpaces(text: string, start: number): number {
  let at = start
  while (text.charCodeAt(at) === SPACE) at += 1
  return at
}

/** @param from where to look for the end of the cell */
function plainCell(
  text: string,
  start: number,
  { delimiter, quote, isLast, isRelaxed }: SplitOptions,
  from = start,
): Cell | SplitError | undefined {
  const delimiterCode = delimiter.charCodeAt(0)
  const quoteCode = isRelaxed || quote === "'" ? -1 : quote.charCodeAt(0)
  for (let at = from; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === delimiterCode || isLineEnd(code)) return { value: text.slice(start, at), end: at }
    if (code === quoteCode) return { error: OPENS_LATE, end: at }
  }
  return isLast ? { value: text.slice(start), end: text.length } : undefined
}

function quotedCell(text: string, start: number, options: SplitOptions): Cell | SplitError | undefined {
  const { delimiter, isLast, isRelaxed } = options
  const close =
    options.quote === '"' ? closingQuote(text, start, options) : closingApostrophe(text, start, options)
  if (close < 0) return isLast ? { error: NOT_CLOSED, end: text.length } : undefined
  if (isLineEnd(text.charCodeAt(close)))
    return isRelaxed ? plainCell(text, start, options) : { error: NOT_CLOSED, end: close }
  const end = afterSpaces(text, close + 1)
  if (end === text.length && !isLast) return undefined
  const code = text.charCodeAt(end)
  if (end === text.length || code === delimiter.charCodeAt(0) || isLineEnd(code))
    return { value: unescaped(text.slice(start + 1, close), options), end }
  if (!isRelaxed) return { error: NOT_CLOSED, end }
  const rest = plainCell(text, close, options)
  if (!rest || !('value' in rest)) return rest
  return {
    value: `${options.quote}${unescaped(text.slice(start + 1, close), options)}${rest.value}`,
    end: rest.end,
  }
}

function closingQuote(text: string, start: number, { quote, hasBackslashes }: SplitOptions): number {
  const code = quote.charCodeAt(0)
  let close = text.indexOf(quote, start + 1)
  while (close >= 0) {
    if (hasBackslashes && isEscaped(text, close, start)) close = text.indexOf(quote, close + 1)
    else if (text.charCodeAt(close + 1) !== code) return close
    else {
      close += 2
      if (text.charCodeAt(close) !== code) close = text.indexOf(quote, close)
    }
  }
  return close
}

/**
 * The apostrophe before the end of the cell: those before it may be letters, as in `'O'Brien'`. Such a cell does not go on
 * after its line, so that a missing one costs its line only.
 * @returns the position of the line end if there is none
 */
function closingApostrophe(text: string, start: number, { quote, delimiter }: SplitOptions): number {
  for (let at = start + 1; at < text.length; at++) {
    if (isLineEnd(text.charCodeAt(at))) return at
    if (text[at] !== quote) continue
    const end = afterSpaces(text, at + 1)
    if (end === text.length || text[end] === delimiter || isLineEnd(text.charCodeAt(end))) return at
  }
  return -1
}

const isLineEnd = (code: number): boolean => code === LINE_FEED || code === CARRIAGE_RETURN

function isEscaped(text: string, at: number, start: number): boolean {
  let first = at
  while (first - 1 > start && text.charCodeAt(first - 1) === BACKSLASH) first -= 1
  return (at - first) % 2 === 1
}

function unescaped(value: string, { quote, hasBackslashes }: SplitOptions): string {
  const single = value.includes(quote) ? value.replaceAll(quote + quote, quote) : value
  return hasBackslashes && single.includes('\\') ? single.replace(/\\([\\"'])/g, '$1') : single
}
