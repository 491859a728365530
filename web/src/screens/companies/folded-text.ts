/** Letters that Unicode does not decompose. The search of the service folds them the same way. */
const LETTERS: Record<string, string> = {
  ø: 'o',
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ł: 'l',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  ı: 'i',
}
/** Longer text does not fit on one line anyway. */
const MAX_TEXT_LENGTH = 4000

// biome-ignore lint/suspicious/noControlCharactersInRegex: ASCII is exactly this range
const ASCII = /^[\x00-\x7f]*$/

function foldLetter(letter: string): string {
  const plain = letter.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()
  return LETTERS[plain] ?? plain
}

/** Folds case and accents. `origin` maps a folded index back to the original text. */
function fold(text: string): { folded: string; origin: (index: number) => number } {
  if (ASCII.test(text)) return { folded: text.toLowerCase(), origin: (index) => index }
  const origins: number[] = []
  let folded = ''
  let position = 0
  for (const letter of text) {
    const plain = foldLetter(letter)
    for (let index = 0; index < plain.length; index++) origins.push(position)
    folded += plain
    position += letter.length
  }
  return { folded, origin: (index) => origins[index] ?? text.length }
}

export const foldText = (text: string): string => fold(text).folded

export interface Piece {
  text: string
  isMatch: boolean
  /** The position in the whole text. */
  start: number
}

/** Splits a text into matches of the words, ignoring case and accents, and the text between them. */
export function findMatches(whole: string, words: readonly string[]): Piece[] {
  const text = whole.slice(0, MAX_TEXT_LENGTH)
  const terms = words.map((word) => foldText(word.trim())).filter(Boolean)
  if (terms.length === 0) return [{ text, isMatch: false, start: 0 }]
  const { folded, origin } = fold(text)
  const pieces: Piece[] = []
  let done = 0
  for (const [from, to] of rangesOf(folded, terms)) {
    const [start, end] = [origin(from), origin(to)]
    if (start > done) pieces.push({ text: text.slice(done, start), isMatch: false, start: done })
    if (end > start) pieces.push({ text: text.slice(start, end), isMatch: true, start })
    done = Math.max(done, end)
  }
  if (done < text.length) pieces.push({ text: text.slice(done), isMatch: false, start: done })
  return pieces
}

function rangesOf(folded: string, words: readonly string[]): [number, number][] {
  const ranges: [number, number][] = []
  for (const word of words)
    for (let at = folded.indexOf(word); at >= 0; at = folded.indexOf(word, at + word.length))
      ranges.push([at, at + word.length])
  ranges.sort(([a], [b]) => a - b)
  const merged: [number, number][] = []
  for (const [from, to] of ranges) {
    const last = merged.at(-1)
    if (last && from <= last[1]) last[1] = Math.max(last[1], to)
    else merged.push([from, to])
  }
  return merged
}

/**
 * The matches of a text, starting at most `lead` characters before the first one if it is not among the characters that
 * are visible in any case.
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
