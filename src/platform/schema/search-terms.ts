/** Letters that Unicode does not decompose. The database's `fold_text` folds them the same way. */
export const UNDECOMPOSED_LETTERS: Readonly<Record<string, string>> = {
  ø: 'o',
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ł: 'l',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  ı: 'i',
  ё: 'е',
}

/** What is written instead of a letter where a keyboard lacks it; `spelled_out_text` in the database. */
const SPELLED_OUT: Record<string, string> = { ä: 'ae', ö: 'oe', ü: 'ue', å: 'aa', ø: 'oe' }
const SPELLED_PAIR = /aa|[aou]e/i
/** In other scripts, marks make other letters. */
const HAS_ACCENTS = /[\p{Script=Latin}\p{Script=Greek}]/u

// biome-ignore lint/suspicious/noControlCharactersInRegex: ASCII is exactly this range
const ASCII = /^[\x00-\x7f]*$/

/** A text whose case and accents are folded. */
export interface FoldedText {
  folded: string
  /** Maps an index of the folded text back to the original text. */
  origin: (index: number) => number
}

/**
 * Folds case and accents.
 * @param isSpelledOut whether "ö" becomes "oe" instead of "o", and so on
 */
export function fold(text: string, { isSpelledOut = false } = {}): FoldedText {
  if (ASCII.test(text)) return { folded: text.toLowerCase(), origin: (index) => index }
  const origins: number[] = []
  let folded = ''
  let position = 0
  // A letter with the accents that follow it.
  for (const letter of text.match(/\P{M}\p{M}*|\p{M}+/gu) ?? []) {
    const lower = letter.normalize('NFC').toLowerCase()
    const plain = (isSpelledOut && SPELLED_OUT[lower]) || foldLetter(lower)
    for (let index = 0; index < plain.length; index++) origins.push(position)
    folded += plain
    position += letter.length
  }
  return { folded, origin: (index) => origins[index] ?? text.length }
}

function foldLetter(lower: string): string {
  const plain = HAS_ACCENTS.test(lower) ? lower.normalize('NFD').replace(/\p{M}/gu, '') : lower
  return UNDECOMPOSED_LETTERS[plain] ?? plain
}

/** The text with case and accents folded. */
export const foldText = (text: string): string => fold(text).folded

/** Writes "oe" for "ö", and so on. */
const spellOut = (text: string): string =>
  text.normalize('NFC').replace(/[äöüåø]/giu, (letter) => SPELLED_OUT[letter.toLowerCase()] ?? letter)

/** A word of a search. A record must contain all of them, in any order, also inside words. */
export interface SearchTerm {
  /** As entered; of a web address, its host without "www.". */
  text: string
  /** The same with letters spelled out, for texts that are spelled out too. Undefined if it has no such letters. */
  spelledOut?: string
  /** The address without its scheme, if the word is one. */
  address?: string
}

const SCHEME = /^[a-z][a-z\d+.-]*:\/\/(?=.)/i
const WWW = /^www\.(?=.)/i
const HOST = /^((?:[\p{L}\p{M}\p{N}_-]+\.)+\p{L}[\p{L}\p{M}\p{N}-]+)\.?(?::\d+)?(?:[/?#].*)?$/u

/** The distinct words of a search. Words that others contain are left out. */
export function searchTerms(search: string): SearchTerm[] {
  const terms = search.split(/\s+/).filter(Boolean).map(parseTerm)
  const folded = terms.map(({ text }) => foldText(text))
  return terms.filter((_term, index) => {
    const text = folded[index] as string
    return !folded.some(
      (other, position) => position !== index && other.includes(text) && (other !== text || position < index),
    )
  })
}

function parseTerm(word: string): SearchTerm {
  const address = word.replace(SCHEME, '').replace(WWW, '')
  const host = HOST.exec(address)?.[1]
  const text = host ?? address
  const spelledOut = spellOut(text)
  const hasPair = text.length > 2 && SPELLED_PAIR.test(spelledOut)
  return {
    text,
    ...((spelledOut !== text.normalize('NFC') || hasPair) && { spelledOut }),
    ...(host !== undefined && { address }),
  }
}
