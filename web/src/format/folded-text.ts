import { fold, foldText, searchTerms } from '#src/client/limits.ts'

/** Longer text does not fit on one line anyway. */
const MAX_TEXT_LENGTH = 4000

export { foldText }

export interface Piece {
  text: string
  isMatch: boolean
  /** The position in the whole text. */
  start: number
}

/** Splits a text into the matches of the search words and the text between them. What exceeds the length is left out. */
export function findMatches(whole: string, words: readonly string[], maxLength = MAX_TEXT_LENGTH): Piece[] {
  const text = whole.slice(0, maxLength)
  const terms = searchTerms(words.join(' '))
  const pieces: Piece[] = []
  let done = 0
  const found = [
    ...rangesOf(
      text,
      terms.flatMap(({ text: term, spelledOut = term }) => [term, spelledOut]),
    ),
    ...rangesOf(
      text,
      terms.flatMap(({ spelledOut = [] }) => spelledOut),
      { isSpelledOut: true },
    ),
  ]
  for (const [start, end] of merge(found)) {
    if (start > done) pieces.push({ text: text.slice(done, start), isMatch: false, start: done })
    pieces.push({ text: text.slice(start, end), isMatch: true, start })
    done = end
  }
  if (done < text.length || pieces.length === 0)
    pieces.push({ text: text.slice(done), isMatch: false, start: done })
  return pieces
}

export const hasMatch = (text: string, words: readonly string[]): boolean =>
  findMatches(text, words).some(({ isMatch }) => isMatch)

type Range = [start: number, end: number]

/** Where the folded text contains the folded words. */
function rangesOf(text: string, words: readonly string[], options?: { isSpelledOut: boolean }): Range[] {
  if (words.length === 0) return []
  const { folded, origin } = fold(text, options)
  const ranges: Range[] = []
  for (const word of new Set(words.map(foldText).filter(Boolean)))
    for (let at = folded.indexOf(word); at >= 0; at = folded.indexOf(word, at + word.length)) {
      const [start, end] = [origin(at), origin(at + word.length)]
      if (end > start) ranges.push([start, end])
    }
  return ranges
}

function merge(ranges: Range[]): Range[] {
  const merged: Range[] = []
  for (const [from, to] of ranges.sort(([a], [b]) => a - b)) {
    const last = merged.at(-1)
    if (last && from <= last[1]) last[1] = Math.max(last[1], to)
    else merged.push([from, to])
  }
  return merged
}

/**
 * The matches of a text. If the first one is not among the first `visible` characters, the result starts at most `lead`
 * characters before it.
 */
export function excerptOf(
  text: string,
  words: readonly string[],
  { visible, lead }: { visible: number; lead: number },
): Piece[] {
  const pieces = findMatches(text, words)
  const first = pieces.find(({ isMatch }) => isMatch)
  if (!first || first.start < visible) return pieces
  const cut = text.indexOf(' ', first.start - lead)
  const from = cut >= 0 && cut < first.start ? cut + 1 : first.start
  const rest = pieces
    .filter(({ start, text: piece }) => start + piece.length > from)
    .map((piece) => ({ ...piece, text: piece.text.slice(Math.max(0, from - piece.start)) }))
  return [{ text: '…', isMatch: false, start: from }, ...rest]
}
