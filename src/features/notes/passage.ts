import { type RawBuilder, sql } from 'kysely'
import { fold, foldText, searchTerms } from '#src/platform/schema/search-terms.ts'
import type { ListedNote } from './schema.ts'

type Passage = NonNullable<ListedNote['passage']>

const PASSAGE_LENGTH = 160
/** How much of it comes before the first word that was found. */
const BEFORE = 60
/** How much markdown is stripped before and after a word. */
const MARKDOWN_BEFORE = 200
const MARKDOWN_AFTER = 500
/** Words that are looked at before the beginning of the text is shown instead. */
const MAX_TRIES = 5

const WORD = /[\p{L}\p{M}\p{N}]+/gu

/** The words of a search, folded, each with its other spelling. A word that was found begins with one of them. */
export const searchedWords = (search: string): string[] =>
  searchTerms(search)
    .flatMap(({ text, spelledOut = text }) => [text, spelledOut])
    .flatMap((text) => foldText(text).match(WORD) ?? [])

/** The query for words that begin with all words of a search; undefined: the search has no word. */
export function wordsQuery(search: string): RawBuilder<unknown> | undefined {
  const terms = searchTerms(search).filter(({ text }) => searchedWords(text).length > 0)
  if (terms.length === 0) return undefined
  const queries = terms.map(({ text, spelledOut }) =>
    spelledOut === undefined
      ? sql`search_query(${text})`
      : sql`(search_query(${text}) || search_query(${spelledOut}))`,
  )
  return sql`(select ${sql.join(queries, sql` && `)})`
}

/**
 * The text around the first of the words, without markdown. Only text near words that were found is stripped, so that the
 * time does not grow with the square of the length.
 * @param words of `searchedWords`
 * @param toPlain makes plain text on one line, by default of markdown
 */
export function passageOf(markdown: string, words: readonly string[], toPlain = plainText): Passage {
  const isFound = (word: string) => {
    const spellings = [foldText(word), fold(word, { isSpelledOut: true }).folded]
    return words.some((beginning) => spellings.some((spelling) => spelling.startsWith(beginning)))
  }
  let tries = 0
  for (const { 0: word, index } of markdown.matchAll(WORD)) {
    if (!isFound(word)) continue
    const passage = passageAround(markdown, index, isFound, toPlain)
    // The word may be part of an address, which the text leaves out.
    if (passage.matches.length > 0) return passage
    if (++tries === MAX_TRIES) break
  }
  return passageAround(markdown, 0, () => false, toPlain)
}

function passageAround(
  markdown: string,
  index: number,
  isFound: (word: string) => boolean,
  toPlain: (markdown: string) => string,
): Passage {
  const from = index <= MARKDOWN_BEFORE ? 0 : wordStart(markdown, index - MARKDOWN_BEFORE)
  const to = wordEnd(markdown, index + MARKDOWN_AFTER)
  const text = toPlain(markdown.slice(from, to))
  const first = text.matchAll(WORD).find(([word]) => isFound(word))?.index ?? 0
  const start = wordStart(text, Math.max(0, first - BEFORE))
  const end = wordEnd(text, start + PASSAGE_LENGTH)
  const prefix = start > 0 || from > 0 ? '…' : ''
  const passage = text.slice(start, end)
  const matches = [...passage.matchAll(WORD)]
    .filter(([word]) => isFound(word))
    .map(({ 0: word, index: at }): [number, number] => [prefix.length + at, prefix.length + at + word.length])
  const suffix = end < text.length || to < markdown.length ? '…' : ''
  return { text: `${prefix}${passage}${suffix}`, matches }
}

const wordStart = (text: string, index: number): number => {
  if (index === 0) return 0
  const space = text.indexOf(' ', index)
  return space >= 0 && space - index < BEFORE ? space + 1 : characterStart(text, index)
}

const wordEnd = (text: string, index: number): number => {
  if (index >= text.length) return text.length
  const space = text.lastIndexOf(' ', index)
  return index - space < BEFORE ? space : characterStart(text, index)
}

/** Does not split a surrogate pair. */
const characterStart = (text: string, index: number): number =>
  /[\uDC00-\uDFFF]/.test(text.charAt(index)) ? index - 1 : index

/** The text of markdown on one line, without its marks. */
function plainText(markdown: string): string {
  return markdown
    .replace(/^[ \t]*(?:```|~~~).*$/gm, ' ')
    .replace(/^[ \t]*\[[^\]\n]{1,200}\]:\s.*$/gm, ' ')
    .replace(/!?\[([^\]\n]{0,200})\]\([^)\n]{0,500}\)/g, '$1')
    .replace(/^[ \t]*(?:>[ \t]*)*(?:#{1,6}[ \t]+|[-*+][ \t]+(?:\[[ xX]\][ \t]+)?|\d+[.)][ \t]+)?/gm, '')
    .replace(/^[-*_=| :\t]{3,}$/gm, ' ')
    .replace(/<\/?[a-z][^>\n]{0,200}>/gi, ' ')
    .replace(/(\*\*|__|~~|`{1,3})(?=\S)([^\n]{0,300}?\S)\1/g, '$2')
    .replace(/(?<![\p{L}\p{N}])([*_])(?=\S)([^\n]{0,300}?\S)\1(?![\p{L}\p{N}])/gu, '$2')
    .replace(/\\([!-/:-@[-`{-~])/g, '$1')
    .replace(/[|\s]+/g, ' ')
    .trim()
}
