/** Shorter names with a typo cannot be told from other names. */
const MIN_TYPO_LETTERS = 6
/** Shorter words differ, rather than having a typo. */
const MIN_TYPO_WORD = 4
/** In longer words, two typos are likely enough. */
const MIN_TWO_TYPOS_WORD = 12
const MAX_TYPOS = 2
/** The least share of common trigrams of names with different numbers of words. */
const MIN_COMMON_TRIGRAMS = 0.65

/**
 * How similar two names without legal form are: 1 if they are the same but for spaces and the order of words, 0 if they are
 * too different, else the share of common trigrams.
 */
export function nameSimilarity(one: string, other: string): number {
  if (one === '' || other === '') return 0
  const words = one.split(' ')
  const others = other.split(' ')
  if (lettersOf(one) === lettersOf(other) || sorted(words) === sorted(others)) return 1
  const isSimilar = words.length === others.length ? differByTypos(words, others) : differBySpaces(one, other)
  if (isSimilar) return digitsOf(one) === digitsOf(other) ? commonTrigrams(one, other) : 0
  const [few, many] = words.length < others.length ? [words, others] : [others, words]
  const isExtended = few.length > 1 && few.length < many.length && few.every((word) => many.includes(word))
  if (!isExtended || digitsOf(one) !== digitsOf(other)) return 0
  const common = commonTrigrams(one, other)
  return common >= MIN_COMMON_TRIGRAMS ? common : 0
}

export const lettersOf = (name: string): string => name.replaceAll(' ', '')
/** Numbers distinguish companies: "Fund 2" is not "Fund 3". */
export const digitsOf = (name: string): string => name.replace(/[^\p{N}]+/gu, ' ').trim()
const sorted = (words: string[]) => words.toSorted().join(' ')

/** Whether each word is the same as its counterpart, or a long one with a typo. */
function differByTypos(words: string[], others: string[]): boolean {
  if (lengthOf(words) < MIN_TYPO_LETTERS || lengthOf(others) < MIN_TYPO_LETTERS) return false
  let typos = 0
  for (const [index, word] of words.entries()) {
    const other = others[index] as string
    if (word === other) continue
    const length = Math.min(word.length, other.length)
    if (length < MIN_TYPO_WORD || Math.abs(word.length - other.length) > MAX_TYPOS) return false
    const distance = editDistance(word, other)
    typos += distance
    if (distance > (length >= MIN_TWO_TYPOS_WORD ? MAX_TYPOS : 1) || typos > MAX_TYPOS) return false
  }
  return true
}

const lengthOf = (words: string[]) => words.reduce((sum, { length }) => sum + length, 0)

/** Whether the names have spaces in other places, and at most one typo. */
function differBySpaces(one: string, other: string): boolean {
  const [letters, others] = [lettersOf(one), lettersOf(other)]
  const isLong = Math.min(letters.length, others.length) >= MIN_TYPO_LETTERS
  return isLong && Math.abs(letters.length - others.length) <= 1 && editDistance(letters, others) <= 1
}

/** The share of trigrams that two names have in common, as PostgreSQL's pg_trgm counts them. */
function commonTrigrams(one: string, other: string): number {
  const trigrams = trigramsOf(one)
  const others = trigramsOf(other)
  let common = 0
  for (const trigram of trigrams) if (others.has(trigram)) common += 1
  return common / (trigrams.size + others.size - common)
}

function trigramsOf(name: string): Set<string> {
  const trigrams = new Set<string>()
  for (const word of name.split(' ')) {
    const padded = `  ${word} `
    for (let start = 0; start + 3 <= padded.length; start++) trigrams.add(padded.slice(start, start + 3))
  }
  return trigrams
}

/** The number of letters to insert, delete, replace or swap with their neighbor (optimal string alignment). */
export function editDistance(one: string, other: string): number {
  let [beforeLast, last]: [number[], number[]] = [[], Array.from({ length: other.length + 1 }, (_, n) => n)]
  for (let i = 1; i <= one.length; i++) {
    const row = [i]
    for (let j = 1; j <= other.length; j++) {
      const isSame = one[i - 1] === other[j - 1]
      const least = Math.min(
        (last[j] as number) + 1,
        (row[j - 1] as number) + 1,
        (last[j - 1] as number) + (isSame ? 0 : 1),
      )
      const isSwap = i > 1 && j > 1 && one[i - 1] === other[j - 2] && one[i - 2] === other[j - 1]
      row.push(isSwap ? Math.min(least, (beforeLast[j - 2] as number) + 1) : least)
    }
    ;[beforeLast, last] = [last, row]
  }
  return last[other.length] as number
}
