const LETTER = /[\p{L}\p{M}]/u
const LOWER = /\p{Ll}/u
const UPPER = /\p{Lu}/u
const UNREADABLE = /[\u0080-\u009f\ufffd\ufffe\ue000-\uf8ff\p{Cn}]/u
const HALF_WIDTH = /[\uff61-\uff9f]/
const BOX = /[\u2500-\u259f]/
/** Letters that few languages have, and that other encodings have where common characters are. */
const RARE = /[ƒŸÿŒªºĦħŊŋŦŧĸÐðÞþŉĳ]/
const WIDE_PUNCTUATION = /[\u3000-\u303f\uff00-\uff60\uffe0-\uffef]/

const SCRIPTS = ['Latin', 'Cyrillic', 'Greek', 'Hebrew', 'Arabic', 'Thai'].map(
  (name) => new RegExp(`\\p{Script=${name}}`, 'u'),
)
const scriptOf = (character: string): number => SCRIPTS.findIndex((script) => script.test(character))

/**
 * How odd the characters of a text are that are not ASCII, each in its place: symbols inside words, capitals after small
 * letters, letters of two scripts in a word. 0: as people write; 1 and more: as no one does.
 */
export function oddness(text: string): number {
  const characters = Array.from(text)
  let odd = 0
  let count = 0
  characters.forEach((character, index) => {
    if (character < '\x80') return
    count += 1
    odd += oddnessAt(character, characters[index - 1] ?? ' ', characters[index + 1] ?? ' ')
  })
  return count === 0 ? 0 : odd / count
}

function oddnessAt(character: string, before: string, after: string): number {
  if (UNREADABLE.test(character)) return 2
  if (HALF_WIDTH.test(character)) return 0.6
  if (BOX.test(character)) return 1
  const isAfter = LETTER.test(before)
  const isBefore = LETTER.test(after)
  if (LETTER.test(character)) return letterOddness(character, before, after)
  return markOddness(character, { before, after, isAfter, isBefore })
}

function letterOddness(character: string, before: string, after: string): number {
  const script = scriptOf(character)
  let odd = RARE.test(character) ? 0.3 : 0
  for (const neighbor of [before, after]) {
    if (/\d/.test(neighbor) && script === 0) odd += 0.3
    // In Chinese and Japanese, only capitals such as IT stand in words of other letters.
    if (script < 0 && /[a-z]/.test(neighbor)) odd += 0.4
    if (script >= 0 && LETTER.test(neighbor) && scriptOf(neighbor) !== script) odd += 0.5
  }
  if (UPPER.test(character) && LOWER.test(before)) odd += 0.6
  if (LOWER.test(character) && UPPER.test(after) && character !== 'ß') odd += 0.4
  return odd
}

interface Place {
  before: string
  after: string
  /** Whether a letter stands before the mark, and behind it. */
  isAfter: boolean
  isBefore: boolean
}

function markOddness(mark: string, { before, after, isAfter, isBefore }: Place): number {
  const isInside = isAfter && isBefore
  // Emoji, and the punctuation of Chinese and Japanese.
  if (mark.length > 1 || WIDE_PUNCTUATION.test(mark)) return 0
  if (/[’‘]/.test(mark)) return isAfter || isBefore || /\d/.test(before) ? 0 : 0.4
  if (mark === '‘' && isInside) return 0.5
  if (/[“„«]/.test(mark)) return isAfter ? 0.8 : 0
  if (/[”»]/.test(mark)) return /\s/.test(before) ? 0.5 : isInside ? 0.8 : 0
  if (/[–—·•…]/.test(mark)) return isInside ? 0.4 : 0
  if (mark === '°') return /[CFNSEWº\s,;.\d]/.test(after) ? 0 : 0.8
  if (/[®™©²³№]/.test(mark)) return isBefore ? 0.8 : 0
  if (/[€£¥]/.test(mark)) return isInside ? 1 : /[\d\s]/.test(before + after) ? 0 : 0.4
  if (mark === '\u00a0') return isInside ? 0.3 : 0.1
  return isInside ? 1.2 : isAfter || isBefore ? 0.8 : 0.4
}
