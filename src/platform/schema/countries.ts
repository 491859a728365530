import countries from 'i18n-iso-countries'

const fold = (text: string) =>
  text
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
    .replace(/^the /, '')

let codes: Map<string, string> | undefined

/** Every country's names in every language of the library; where two share a name, English decides. */
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

/** Codes that people use for an ISO 3166-1 alpha-2 code; ISO reserves UK for the United Kingdom. */
const SYNONYMS: Record<string, string> = { UK: 'GB' }

/** A two-letter code as it is stored: upper case, `GB` for `UK`. Other text is only put into upper case. */
export function countryCodeAsStored(text: string): string {
  const code = text.trim().toUpperCase()
  return SYNONYMS[code] ?? code
}

/** Whether the text is an ISO 3166-1 alpha-2 code, or a synonym of one, in any case. */
export const isCountryCode = (text: string): boolean =>
  /^[a-z]{2}$/i.test(text) && countries.getName(countryCodeAsStored(text), 'en') !== undefined

/** The ISO 3166-1 alpha-2 code of a country's name (in any language), alpha-2 or alpha-3 code, else undefined. */
export function countryCodeOf(text: string): string | undefined {
  if (isCountryCode(text)) return countryCodeAsStored(text)
  if (/^[a-z]{3}$/i.test(text))
    return countries.alpha3ToAlpha2(text.toUpperCase()) ?? codesByName().get(fold(text))
  return codesByName().get(fold(text))
}

/** The English name of a country's code. */
export const countryName = (code: string): string | undefined => countries.getName(code, 'en')
