import { siteOf } from '#src/features/companies/index.ts'
import { countryCodeOf } from '#src/platform/schema/countries.ts'
import { coreName } from './company-name.ts'
import { digitsOf, lettersOf } from './similarity.ts'

/** The version of the rules below. Another one makes the service compare all companies again. */
export const RULES = '2'

export interface IdentityFields {
  name: string
  website?: string | null
  country?: string | null
  country_code?: string | null
}

/** What companies are compared by. */
export interface Identity {
  /** The registrable domain of the website, or a page of a shared host. */
  domain: string | null
  /** The name without legal form. */
  name: string
  /** An ISO 3166-1 alpha-2 code, or else the country's name. */
  country: string | null
}

/** An index entry holds 2,700 bytes. */
const MAX_DOMAIN_LENGTH = 500

export function identityOf({ name, website, country, country_code }: IdentityFields): Identity {
  const code = country_code || (country ? (countryCodeOf(country) ?? null) : null)
  return {
    domain: siteOf(website)?.key.slice(0, MAX_DOMAIN_LENGTH).toWellFormed() ?? null,
    name: coreName(name, code),
    country: code ?? (country?.trim().toLowerCase().slice(0, 100).toWellFormed() || null),
  }
}

/** The parts of a name by which similar names are found. */
export interface NameKeys {
  name_start: string | null
  name_end: string | null
  name_edges: string | null
}

/** The parts are thirds of a name; shorter names are only found by the whole. */
const MIN_LETTERS = 6

/**
 * A name's own keys: two of its three thirds. One typo leaves one of them as it is.
 * @param third the length of a third, by default this name's own
 */
export function nameKeys(name: string, third = thirdOf(lettersOf(name).length)): NameKeys {
  const letters = lettersOf(name)
  if (letters === '') return { name_start: null, name_end: null, name_edges: null }
  // Numbers are not mistyped: they distinguish names.
  const numbers = digitsOf(name) && `#${digitsOf(name)}`
  if (letters.length < MIN_LETTERS) return { name_start: `=${letters}`, name_end: null, name_edges: null }
  // A part may begin or end in the middle of a character.
  return {
    name_start: (letters.slice(0, 2 * third) + numbers).toWellFormed(),
    name_end: (letters.slice(-2 * third) + numbers).toWellFormed(),
    name_edges: `${letters.slice(0, third)}…${letters.slice(-third)}${numbers}`.toWellFormed(),
  }
}

/** The keys of names that differ from this one by a typo, which may be a letter longer or shorter. */
export function keysToFind(name: string): NameKeys[] {
  const { length } = lettersOf(name)
  if (length === 0) return []
  const thirds = new Set([thirdOf(length), thirdOf(length - 1), thirdOf(length + 1)])
  const keys = [...thirds].map((third) => nameKeys(name, third))
  return length < MIN_LETTERS ? keys.slice(0, 1) : keys
}

const thirdOf = (length: number): number => Math.max(2, Math.floor(length / 3))
