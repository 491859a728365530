import { isExactInteger, parseExactJson } from '#src/platform/schema/exact-json.ts'
import { isPlaceholder } from './placeholders.ts'
import { MAX_LIST_LENGTH } from './reading.ts'
import { parseList, splitAt } from './value-list.ts'

interface Person {
  name: string
  title?: string
}

/** What follows a name after a comma and still belongs to it. */
const SUFFIX = /^(?:jr|sr|ii|iii|iv|ph\.?\s?d|m\.?d|mba|esq|cpa|dr|inc|ltd|llc|gmbh|s\.?a|corp|co)\.?$/i

/**
 * The people in a cell: JSON, or a list of names, in which "Jane Roe (CEO)" has a title. "Roe, Jane" is one person.
 * @returns undefined if the cell is too long or is JSON of another kind
 */
export function parsePeople(text: string): unknown {
  if (/^[[{]/.test(text)) {
    const json = parseJson(text)
    if (json !== undefined) return json
  }
  if (text.length > MAX_LIST_LENGTH) return undefined
  return namesIn(text)?.map(personOf)
}

/** JSON in which integers keep their digits; undefined if the text is not JSON. */
export function parseJson(text: string): unknown {
  try {
    const value = parseExactJson(text)
    // Where a list or an object is required, a number is rejected.
    return isExactInteger(value) ? JSON.parse(text) : value
  } catch {
    return undefined
  }
}

function namesIn(text: string): string[] | undefined {
  if (/^[[{(]/.test(text)) return parseList(text)
  const parts = splitAt(text, /[\n\r;|•；｜]/)
  const names = parts.length > 1 ? parts : namesBetweenCommas(text)
  return names.filter((name) => name && !isPlaceholder(name, 'prose'))
}

function namesBetweenCommas(text: string): string[] {
  const parts = splitOutsideParentheses(text)
  const [first = '', second = '', ...others] = parts
  if (others.length === 0 && isWord(first) && isWord(second)) return [text]
  const names: string[] = []
  for (const part of parts)
    if (SUFFIX.test(part) && names.length > 0) names.push(`${names.pop()}, ${part}`)
    else names.push(part)
  return names
}

const isWord = (text: string): boolean => /^\S+$/.test(text)

function splitOutsideParentheses(text: string): string[] {
  const hidden = text.replace(/\([^()]*\)/g, (part) => part.replaceAll(',', '\0').replaceAll('，', '\0'))
  return splitAt(hidden, /[,，、]/).map((part) => part.replaceAll('\0', ','))
}

function personOf(text: string): Person {
  const [, name = '', title = ''] = /^([^()]+?)\s*\(([^()]+)\)$/.exec(text) ?? []
  return name && title.trim() ? { name, title: title.trim() } : { name: text }
}
