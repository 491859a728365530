import { isPlaceholder } from './placeholders.ts'
import { MAX_LIST_LENGTH } from './reading.ts'

/**
 * The values in a cell that is a list: JSON, a list of Python, or braces; or values between line breaks, semicolons, bars,
 * or, if there are none of these, commas. Values in double quotes may have any of them.
 * @returns without blank values and repetitions, which may differ in case; undefined if the cell is too long, or an object
 */
export function parseList(text: string): string[] | undefined {
  if (text.length > MAX_LIST_LENGTH) return undefined
  const bracketed = /^[[({].*[\])}]$/s.test(text) ? parseBracketed(text) : null
  if (bracketed === undefined) return undefined
  return distinct(bracketed ?? splitValues(withoutIds(text)))
}

/** The values without repetitions. Of values that differ in case alone, the first stays. */
export function distinct(values: readonly string[]): string[] {
  const byFolded = new Map<string, string>()
  for (const value of values) {
    const trimmed = value.trim()
    const folded = trimmed.toLowerCase()
    if (trimmed && !isPlaceholder(trimmed, 'prose') && !byFolded.has(folded)) byFolded.set(folded, trimmed)
  }
  return [...byFolded.values()]
}

/** null: the brackets are part of the values. */
function parseBracketed(text: string): string[] | null | undefined {
  const json = jsonValues(text)
  if (json !== null) return json
  const closing = { '[': ']', '(': ')', '{': '}' }[text[0] as '[' | '(' | '{']
  if (!text.endsWith(closing)) return null
  if (text.startsWith('(') && !/^\(\s*['"]/.test(text)) return null
  return literalValues(text.slice(1, -1))
}

/** The texts and numbers of a JSON array; null if it is none, undefined if it has something else. */
function jsonValues(text: string): string[] | null | undefined {
  try {
    const value: unknown = JSON.parse(text)
    if (!Array.isArray(value)) return undefined
    const texts = value.map(textOf)
    return texts.includes(undefined) ? undefined : (texts as string[])
  } catch {
    return null
  }
}

function textOf(value: unknown): string | undefined {
  if (value === null) return ''
  if (typeof value === 'string') return value
  if (typeof value === 'number') return String(value)
  const { name = undefined } = typeof value === 'object' ? (value as { name?: unknown }) : {}
  return typeof name === 'string' ? name : undefined
}

/** The values of a list of Python or PostgreSQL; null if the text is none, such as `[stealth] "robots"]`. */
function literalValues(text: string): string[] | null {
  const values: string[] = []
  for (let index = 0; index < text.length; ) {
    const comma = text.indexOf(',', index)
    const bare = text.slice(index, comma < 0 ? text.length : comma)
    const [opening, quote] = /^\s*[urb]{0,2}(['"])/.exec(bare.slice(0, MAX_OPENING)) ?? []
    if (opening && quote) {
      const literal = quotedLiteral(text, index + opening.length, quote)
      if (!literal) return null
      values.push(literal.value)
      index = literal.end
    } else {
      if (/['"[\]{}]/.test(bare)) return null
      if (!/^(?:none|null)$/i.test(bare.trim())) values.push(bare)
      index += bare.length + 1
    }
  }
  return values
}

/** White space and prefixes before a quote are shorter. */
const MAX_OPENING = 50

/** The text up to a quote without a backslash, and the position after the comma that follows. */
function quotedLiteral(
  text: string,
  start: number,
  quote: string,
): { value: string; end: number } | undefined {
  let end = start
  while (end < text.length && text[end] !== quote) end += text[end] === '\\' ? 2 : 1
  if (end >= text.length) return undefined
  const comma = text.indexOf(',', end)
  const next = comma < 0 ? text.length : comma
  if (text.slice(end + 1, next).trim() !== '') return undefined
  return { value: text.slice(start, end).replace(/\\(.)/gs, '$1'), end: next + 1 }
}

/** SharePoint writes `1;#Robotics;#2;#B2B` with the ids of terms, and `Robotics;#B2B` without. */
function withoutIds(text: string): string {
  if (!text.includes(';#')) return text
  const parts = text.split(';#')
  const hasIds = parts.length % 2 === 0 && parts.every((part, index) => index % 2 === 1 || /^\d+$/.test(part))
  return (hasIds ? parts.filter((_part, index) => index % 2 === 1) : parts).join(';')
}

const STRONG = /[\n\r;|•；｜]/
const WEAK = /[,，、]/

/** Values between the strongest separator outside quotes. */
function splitValues(text: string): string[] {
  const values = splitAt(text, STRONG)
  return values.length > 1 ? values : splitAt(text, WEAK)
}

/** The parts of a text between separators outside double quotes and parentheses. */
export function splitAt(text: string, separator: RegExp): string[] {
  if (!separator.test(text)) return [unquoted(text)]
  const parts: string[] = []
  let start = 0
  for (let index = 0; index < text.length; index++) {
    const character = text[index] as string
    if (character === '"' && text.slice(start, index).trim() === '') index = endOfQuotes(text, index)
    else if (separator.test(character)) {
      parts.push(unquoted(text.slice(start, index)))
      start = index + 1
    }
  }
  parts.push(unquoted(text.slice(start)))
  return parts
}

/** The index of the closing quote, or of the opening one if there is none. */
function endOfQuotes(text: string, start: number): number {
  for (let index = start + 1; index < text.length; index++) {
    if (text[index] !== '"') continue
    if (text[index + 1] !== '"') return index
    index++
  }
  return start
}

function unquoted(text: string): string {
  const trimmed = text.trim()
  return /^".*"$/s.test(trimmed) && trimmed.length > 1 ? trimmed.slice(1, -1).replaceAll('""', '"') : trimmed
}
