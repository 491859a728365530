import countries from 'i18n-iso-countries'
import { withoutAccents } from '#src/platform/accents.ts'
import { normalizeName } from './normalize-text.ts'

const fold = (text: string) =>
  withoutAccents(text)
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
    .replace(/^the /, '')

let codes: Map<string, string> | undefined

/** All country names in all languages of the library. For ambiguous names, English wins. */
function codesByName(): Map<string, string> {
  if (codes) return codes
  codes = new Map()
  const languages = ['en', ...countries.getSupportedLanguages().filter((language) => language !== 'en')]
  for (const language of languages) {
    for (const [code, names] of Object.entries(countries.getNames(language, { select: 'all' }))) {
      for (const name of [names].flat()) if (!codes.has(fold(name))) codes.set(fold(name), code)
    }
  }
  return codes
}

/** Common aliases of ISO 3166-1 alpha-2 codes; ISO reserves UK for the United Kingdom. */
const ALIASES: Record<string, string> = { UK: 'GB' }

/** Normalizes a two-letter code: upper case, and `GB` for `UK`. Other text is only converted to upper case. */
export function normalizeCountryCode(text: string): string {
  const code = normalizeName(text).trim().toUpperCase()
  return ALIASES[code] ?? code
}

/** Whether the text is an ISO 3166-1 alpha-2 code or an alias, in any case. */
export const isCountryCode = (text: string): boolean =>
  /^[a-z]{2}$/i.test(text) && countries.getName(normalizeCountryCode(text), 'en') !== undefined

/** The ISO 3166-1 alpha-2 code for a country name in any language or an alpha-2 or alpha-3 code, else `undefined`. */
export function countryCodeOf(text: string): string | undefined {
  if (isCountryCode(text)) return normalizeCountryCode(text)
  if (/^[a-z]{3}$/i.test(text))
    return countries.alpha3ToAlpha2(text.toUpperCase()) ?? codesByName().get(fold(text))
  return codesByName().get(fold(text))
}

/** The English name for a country code. */
export const countryName = (code: string): string | undefined => countries.getName(code, 'en')
