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

/** The kinds of marks that have places of their own. */
const MARKS = {
  apostrophe: /[’‘]/,
  opening: /[“„«]/,
  closing: /[”»]/,
  dash: /[–—·•…]/,
  degree: /°/,
  trademark: /[®™©²³№]/,
  currency: /[€£¥]/,
  space: /\u00a0/,
}

type Kind = 'unreadable' | 'half-width' | 'box' | 'letter' | 'harmless' | keyof typeof MARKS | 'other'

/** What counts in a character, and in the neighbor of one. */
interface Traits {
  kind: Kind
  isLetter: boolean
  isLower: boolean
  isUpper: boolean
  isRare: boolean
  /** One of a to z. */
  isPlainLower: boolean
  isDigit: boolean
  isSpace: boolean
  /** Whether it is a small letter that people write before capitals. */
  isBeforeCapitals: boolean
  isAfterDegree: boolean
  /** -1: another one. */
  script: number
}

function traitsIn(character: string): Traits {
  return {
    kind: kindIn(character),
    isLetter: LETTER.test(character),
    isLower: LOWER.test(character),
    isUpper: UPPER.test(character),
    isRare: RARE.test(character),
    isPlainLower: /[a-z]/.test(character),
    isDigit: /\d/.test(character),
    isSpace: /\s/.test(character),
    isBeforeCapitals: character === 'ß',
    isAfterDegree: /[CFNSEWº\s,;.\d]/.test(character),
    script: SCRIPTS.findIndex((script) => script.test(character)),
  }
}

function kindIn(character: string): Kind {
  if (UNREADABLE.test(character)) return 'unreadable'
  if (HALF_WIDTH.test(character)) return 'half-width'
  if (BOX.test(character)) return 'box'
  if (LETTER.test(character)) return 'letter'
  // Emoji, and the punctuation of Chinese and Japanese.
  if (character.length > 1 || WIDE_PUNCTUATION.test(character)) return 'harmless'
  const marks = Object.entries(MARKS) as [keyof typeof MARKS, RegExp][]
  return marks.find(([, pattern]) => pattern.test(character))?.[0] ?? 'other'
}

/** Without this table, a file of 4 MB in which all text was encoded twice takes seconds instead of tenths of one. */
const indexByCodePoint = new Uint8Array(0x110000)
/** A character has few different traits. Index 0 stands for those that are not known yet. */
const differentTraits: (Traits | undefined)[] = [undefined]
const indexByTraits = new Map<string, number>()

const traitsOf = (codePoint: number): Traits =>
  differentTraits[indexByCodePoint[codePoint] as number] ?? learnedTraits(codePoint)

function learnedTraits(codePoint: number): Traits {
  const traits = traitsIn(String.fromCodePoint(codePoint))
  const key = JSON.stringify(traits)
  const index = indexByTraits.get(key) ?? differentTraits.push(traits) - 1
  indexByTraits.set(key, index)
  indexByCodePoint[codePoint] = index
  return traits
}

const SPACE = traitsOf(0x20)

/**
 * How odd the characters of a text are that are not ASCII, each in its place: symbols inside words, capitals after small
 * letters, letters of two scripts in a word. 0: as people write; 1 and more: as no one does.
 */
export function oddness(text: string): number {
  let odd = 0
  let count = 0
  let before = SPACE
  for (let at = 0; at < text.length; ) {
    const codePoint = text.codePointAt(at) as number
    at += codePoint > 0xffff ? 2 : 1
    const traits = traitsOf(codePoint)
    if (codePoint >= 0x80) {
      count += 1
      odd += oddnessAt(traits, before, at < text.length ? traitsOf(text.codePointAt(at) as number) : SPACE)
    }
    before = traits
  }
  return count === 0 ? 0 : odd / count
}

function oddnessAt(character: Traits, before: Traits, after: Traits): number {
  if (character.kind === 'unreadable') return 2
  if (character.kind === 'half-width') return 0.6
  if (character.kind === 'box') return 1
  return character.kind === 'letter'
    ? letterOddness(character, before, after)
    : markOddness(character.kind, before, after)
}

function letterOddness(letter: Traits, before: Traits, after: Traits): number {
  let odd = letter.isRare ? 0.3 : 0
  odd += neighborOddness(letter, before) + neighborOddness(letter, after)
  if (letter.isUpper && before.isLower) odd += 0.6
  if (letter.isLower && after.isUpper && !letter.isBeforeCapitals) odd += 0.4
  return odd
}

function neighborOddness({ script }: Traits, neighbor: Traits): number {
  if (neighbor.isDigit && script === 0) return 0.3
  // In Chinese and Japanese, only capitals such as IT stand in words of other letters.
  if (script < 0) return neighbor.isPlainLower ? 0.4 : 0
  return neighbor.isLetter && neighbor.script !== script ? 0.5 : 0
}

function markOddness(kind: Kind, before: Traits, after: Traits): number {
  const isAfter = before.isLetter
  const isBefore = after.isLetter
  const isInside = isAfter && isBefore
  switch (kind) {
    case 'harmless':
      return 0
    case 'apostrophe':
      return isAfter || isBefore || before.isDigit ? 0 : 0.4
    case 'opening':
      return isAfter ? 0.8 : 0
    case 'closing':
      return before.isSpace ? 0.5 : isInside ? 0.8 : 0
    case 'dash':
      return isInside ? 0.4 : 0
    case 'degree':
      return after.isAfterDegree ? 0 : 0.8
    case 'trademark':
      return isBefore ? 0.8 : 0
    case 'currency':
      return isInside ? 1 : before.isDigit || before.isSpace || after.isDigit || after.isSpace ? 0 : 0.4
    case 'space':
      return isInside ? 0.3 : 0.1
    default:
      return isInside ? 1.2 : isAfter || isBefore ? 0.8 : 0.4
  }
}
