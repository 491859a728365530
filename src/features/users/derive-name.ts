/**
 * Derives a name from an email address: `ada.beck@example.com` gives Ada Beck.
 * If no part consists of letters, the name is everything before the @.
 */
export function deriveName(email: string): string {
  const account = email.slice(0, email.lastIndexOf('@'))
  const local = account.split('+', 1)[0] as string
  // A hyphen is part of the name if another character separates the words, as in jean-luc.picard.
  const isHyphenated = /[^\p{L}\p{M}\p{N}'’-]/u.test(trimmed(local))
  const words = local
    .split(isHyphenated ? /[^\p{L}\p{M}\p{N}'’-]+/u : /[^\p{L}\p{M}\p{N}'’]+/u)
    .map(trimmed)
    .filter((word) => /^[\p{L}\p{M}'’-]+$/u.test(word))
  return words.map(capitalized).join(' ') || account
}

/** Removes leading and trailing digits and punctuation. */
const trimmed = (word: string): string => word.replace(/^[^\p{L}\p{M}]+|[^\p{L}\p{M}]+$/gu, '')

const capitalized = (word: string): string =>
  word.toLowerCase().replace(/(?<![\p{L}\p{M}])\p{L}/gu, (letter) => letter.toUpperCase())
