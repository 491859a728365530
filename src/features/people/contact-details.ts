import { type CountryCode, isSupportedCountry, parsePhoneNumberFromString } from 'libphonenumber-js/min'
import { InvalidInput } from '#src/platform/errors.ts'
import { shown } from '#src/platform/schema/describe-error.ts'
import { normalizeSpaces } from '#src/platform/schema/normalize-input.ts'

const distinct = (texts: readonly string[]): string[] => [...new Set(texts)]

/**
 * Phone numbers as E.164, each once.
 * @param country the two-letter code of the country of national numbers; null: they are not valid
 * @throws InvalidInput that names the number that is wrong
 */
export const normalizePhones = (phones: readonly string[], country: string | null): string[] =>
  distinct(phones.map((text, index) => normalizePhone(text, country, `phones[${index}]`)))

function normalizePhone(text: string, country: string | null, field: string): string {
  const phone = parsePhone(text, country)
  if (phone !== undefined) return phone
  const isKnown = country !== null && isSupportedCountry(country)
  const national = isKnown ? ` or a number of the country ${country}` : ''
  throw new InvalidInput(
    `${field} must be an international phone number${national}, without an extension, not ${shown(text)}. Start ${isKnown ? 'an international number' : 'it'} with + and the country code, such as +4930123456.`,
  )
}

/**
 * A phone number as E.164; undefined if it cannot be read or has an extension.
 * @param country the two-letter code of the country of national numbers; null: they are not valid
 */
export function parsePhone(text: string, country: string | null): string | undefined {
  const isKnown = country !== null && isSupportedCountry(country)
  const phone = parsePhoneNumberFromString(text, {
    ...(isKnown && { defaultCountry: country as CountryCode }),
    extract: false,
  })
  return phone?.isPossible() && !phone.ext ? phone.number : undefined
}

/** The digits of a search that may be part of a phone number, as E.164 has them; undefined: it is no number. */
export function phoneDigits(search: string): string | undefined {
  if (!/^[+\d\s()./-]+$/.test(search)) return undefined
  const digits = search.replace(/\(0\)/g, '').replace(/\D/g, '').replace(/^00?/, '')
  return digits.length >= MIN_SEARCHED_DIGITS ? digits : undefined
}

const MIN_SEARCHED_DIGITS = 4

/** The lists and short texts of a person as they are stored: each entry once, without extra spaces. */
export function normalizeDetails<Fields extends object>(fields: Fields): Fields {
  const normalized = Object.entries(fields).map(([name, value]) => {
    if (name === 'emails' || name === 'links') return [name, distinct(value)]
    return [name, typeof value === 'string' ? normalizeSpaces(value) : value]
  })
  return Object.fromEntries(normalized)
}
