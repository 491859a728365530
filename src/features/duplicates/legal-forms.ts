import { withoutAccents } from '#src/platform/accents.ts'
import { LEGAL_FORMS, WORLDWIDE_LEGAL_FORMS } from './legal-form-list.ts'

/** A legal form has at most this many words: "sp. z o. o." */
const MAX_WORDS = 6

/** Forms that come before the name. */
const LEADING = new Set(
  'uab ab mb sia as ou pt cv ooo oao zao pao tov oy sc ооо оао зао пао ао тов тоо ад'.split(' '),
)

const setOf = (forms: string) => withoutAccents(forms).split(' ')

const worldwide = new Set(setOf(WORLDWIDE_LEGAL_FORMS))
const byCountry = new Map(
  Object.entries(LEGAL_FORMS).map(([country, forms]) => [country, new Set(setOf(forms))]),
)
const everywhere = new Set([...worldwide, ...[...byCountry.values()].flatMap((forms) => [...forms])])
/** Chinese, Japanese and Korean names have no space before or after the form. */
const unspaced = [...everywhere].filter((form) => /^[\p{sc=Han}\p{sc=Hangul}]{3,}$/u.test(form))

/**
 * Removes legal forms at the end and at the beginning of a name. Some word always remains.
 * @param words folded words
 * @param country an ISO 3166-1 alpha-2 code; without one, the forms of all countries count
 */
export function withoutLegalForm(words: readonly string[], country: string | null): string[] {
  const ofCountry = country === null ? everywhere : (byCountry.get(country) ?? worldwide)
  const isForm = (form: string) => worldwide.has(form) || ofCountry.has(form)
  const rest = [...words]
  for (let length = lengthAtEnd(rest, isForm); length > 0; length = lengthAtEnd(rest, isForm))
    rest.splice(-length)
  if (rest.length > 1 && LEADING.has(rest[0] ?? '') && isForm(rest[0] ?? '')) rest.shift()
  return rest.map(withoutUnspacedForm)
}

/** How many words the legal form at the end has; the longest one counts. */
function lengthAtEnd(words: string[], isForm: (form: string) => boolean): number {
  for (let length = Math.min(MAX_WORDS, words.length - 1); length > 0; length--)
    if (isForm(words.slice(-length).join(''))) return length
  return 0
}

function withoutUnspacedForm(word: string): string {
  const form = unspaced.find(
    (form) => word.length > form.length && (word.startsWith(form) || word.endsWith(form)),
  )
  if (!form) return word
  return word.startsWith(form) ? word.slice(form.length) : word.slice(0, -form.length)
}
