import { withoutAccents } from '#src/platform/accents.ts'
import { UNDECOMPOSED_LETTERS } from '#src/platform/schema/search-terms.ts'
import { withoutLegalForm } from './legal-forms.ts'

const MAX_LENGTH = 100

const CONNECTIVES = new Set(['and', 'und', 'et', 'og', 'och'])

/** The words of a name, without case, accents and punctuation. */
export function wordsOfName(name: string): string[] {
  const letters = isAscii(name) ? name.toLowerCase() : foldLetters(name)
  return letters
    .replace(/['’`´]/g, '')
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '')
}

/** Most names are, and need no further work. */
const isAscii = (name: string) => !/[^ -~]/.test(name)

const foldLetters = (name: string) =>
  withoutAccents(name)
    .toLowerCase()
    .replace(/[ßøæœłđðþı]/g, (letter) => UNDECOMPOSED_LETTERS[letter] ?? letter)

/**
 * What identifies a company in its name: the words without legal form, "and" and "The", joined by spaces. German umlauts
 * and their transcriptions become the same.
 * @param country an ISO 3166-1 alpha-2 code, because short legal forms are words in other countries
 */
export function coreName(name: string, country: string | null): string {
  const words = withoutLegalForm(
    wordsOfName(name).filter((word) => !CONNECTIVES.has(word)),
    country,
  )
  if (words.length > 1 && words[0] === 'the') words.shift()
  return words
    .map((word) => word.replace(/([aou])e(?=[b-df-hj-np-tv-z])/g, '$1'))
    .join(' ')
    .slice(0, MAX_LENGTH)
    .toWellFormed()
    .trim()
}
