/**
 * A person's name as an email address suggests it: `ada.beck@example.com` is Ada Beck.
 * Without a word of letters, it is what stands before the @.
 */
export function deriveName(email: string): string {
  const account = email.slice(0, email.lastIndexOf('@'))
  const local = account.split('+', 1)[0] as string
  // A hyphen belongs to the name where something else separates the words, as in jean-luc.picard.
  const isHyphenated = /[^\p{L}\p{M}\p{N}'’-]/u.test(trimmed(local))
  const words = local
    .split(isHyphenated ? /[^\p{L}\p{M}\p{N}'’-]+/u : /[^\p{L}\p{M}\p{N}'’]+/u)
    .map(trimmed)
    .filter((word) => /^[\p{L}\p{M}'’-]+$/u.test(word))
  return words.map(capitalized).join(' ') || account
}

/** Without the digits and punctuation around it. */
const trimmed = (word: string): string => word.replace(/^[^\p{L}\p{M}]+|[^\p{L}\p{M}]+$/gu, '')

const capitalized = (word: string): string =>
  word.toLowerCase().replace(/(?<![\p{L}\p{M}])\p{L}/gu, (letter) => letter.toUpperCase())
