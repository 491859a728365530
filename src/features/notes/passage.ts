import { fold, foldText, searchTerms } from '#src/platform/schema/search-terms.ts'
import type { ListedNote } from './schema.ts'

type Passage = NonNullable<ListedNote['passage']>

const PASSAGE_LENGTH = 160
/** How much of it comes before the first word that was found. */
const BEFORE = 60

const WORD = /[\p{L}\p{M}\p{N}]+/gu

/** The words of a search, folded, each with its other spelling. A word that was found begins with one of them. */
export const searchedWords = (search: string): string[] =>
  searchTerms(search)
    .flatMap(({ text, spelledOut = text }) => [text, spelledOut])
    .flatMap((text) => foldText(text).match(WORD) ?? [])

/**
 * The text around the first of the words, without markdown.
 * @param words of `searchedWords`
 */
export function passageOf(markdown: string, words: readonly string[]): Passage {
  const text = plainText(markdown)
  const isFound = (word: string) => {
    const spellings = [foldText(word), fold(word, { isSpelledOut: true }).folded]
    return words.some((beginning) => spellings.some((spelling) => spelling.startsWith(beginning)))
  }
  const first = text.matchAll(WORD).find(([word]) => isFound(word))?.index ?? 0
  const start = wordStart(text, Math.max(0, first - BEFORE))
  const end = wordEnd(text, start + PASSAGE_LENGTH)
  const prefix = start > 0 ? '…' : ''
  const passage = text.slice(start, end)
  const matches = [...passage.matchAll(WORD)]
    .filter(([word]) => isFound(word))
    .map(({ 0: word, index }): [number, number] => [
      prefix.length + index,
      prefix.length + index + word.length,
    ])
  return { text: `${prefix}${passage}${end < text.length ? '…' : ''}`, matches }
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
export const plainText = (markdown: string): string =>
  markdown
    .replace(/^\s*(?:```|~~~).*$/gm, ' ')
    .replace(/^\s*\[[^\]\n]+\]:\s.*$/gm, ' ')
    .replace(/!?\[([^\]\n]*)\]\([^)\n]*\)/g, '$1')
    .replace(/^[ \t]*(?:>[ \t]*)*(?:#{1,6}[ \t]+|[-*+][ \t]+(?:\[[ xX]\][ \t]+)?|\d+[.)][ \t]+)?/gm, '')
    .replace(/^[-*_=| :\t]{3,}$/gm, ' ')
    .replace(/<\/?[a-z][^>\n]*>/gi, ' ')
    .replace(/(\*\*|__|~~|`+)(?=\S)(.*?\S)\1/g, '$2')
    .replace(/(?<![\p{L}\p{N}])([*_])(?=\S)(.*?\S)\1(?![\p{L}\p{N}])/gu, '$2')
    .replace(/\\([!-/:-@[-`{-~])/g, '$1')
    .replace(/\s*\|\s*/g, ' ')
    .replace(/\s+/g, ' ')
    .trim()
