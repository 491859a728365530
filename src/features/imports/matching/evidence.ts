import { siteOf } from '#src/features/companies/index.ts'
import { countryCodeOf } from '#src/platform/schema/countries.ts'

/** The fields of a row or a company that identify it. */
export interface CompanyIdentity {
  name: string
  website?: string | null
  country?: string | null
  country_code?: string | null
  hq_city?: string | null
}

/** An identity in a form that can be compared. null: unknown. */
export interface Evidence {
  /** Without case, accents, and punctuation. */
  name: string
  /** Without case and extra spaces. Names with another spelling may be another company's. */
  spelling: string
  /** The registrable domain of the website, or a page on a host that many companies share. */
  site: string | null
  isPage: boolean
  country: string | null
  city: string | null
}

export function evidenceOf(identity: CompanyIdentity): Evidence {
  const site = siteOf(identity.website)
  return {
    name: nameKey(identity.name),
    spelling: spellingOf(identity.name),
    site: site ? site.key.toWellFormed() : null,
    isPage: site?.isPage ?? false,
    country: countryKey(identity),
    city: cityKey(identity.hq_city),
  }
}

/** Diacritics of Latin and Greek letters. In other scripts they make another letter. */
const DIACRITICS = /(?<=[a-z\u0370-\u03ff])[\u0300-\u036f]+/g
const QUOTES = /['’‘`´"“”„]/g
/** `company_name_key()` in SQL removes the same characters. Symbols such as + and ! distinguish names. */
const SEPARATORS = /[\s.,;:()/\\_\-–—]+/g
const NON_ASCII = /[^ -~]/

const SPACES = /\s+/g
const APOSTROPHES = /[’‘`´]/g

const spellingOf = (name: string): string =>
  name.trim().toLowerCase().replace(APOSTROPHES, "'").replace(SPACES, ' ')

/**
 * A name without case, accents, and punctuation: names with another key are never the same. A name of punctuation alone is
 * compared as written.
 */
export function nameKey(name: string): string {
  const letters = NON_ASCII.test(name)
    ? name.normalize('NFD').toLowerCase().replace(DIACRITICS, '').normalize('NFC')
    : name.toLowerCase()
  return letters.replace(QUOTES, '').replace(SEPARATORS, ' ').trim() || name.trim()
}

function countryKey({ country, country_code }: CompanyIdentity): string | null {
  if (country_code) return country_code.trim().toUpperCase()
  const text = country?.trim()
  return text ? (countryCodeOf(text) ?? nameKey(text)) : null
}

/** The city of "Austin, TX" is Austin. */
function cityKey(city: string | null | undefined): string | null {
  const text = city?.split(/[,(/;]/, 1)[0]?.trim() || city?.trim()
  return text ? nameKey(text) : null
}

/** Whether two identities with the same name are one company. */
export interface Comparison {
  /**
   * same: they have the same website of their own. compatible: nothing contradicts. conflict: another website, city, or
   * spelling. different: another country.
   */
  relation: 'same' | 'compatible' | 'conflict' | 'different'
  /** The number of parts that are known and equal. */
  equal: number
  /** Whether both know the same parts. */
  isExact: boolean
}

/**
 * Compares two identities with the same name.
 * @param isShared whether a website belongs to several companies, so that it proves nothing
 */
export function compareEvidence(
  one: Evidence,
  other: Evidence,
  isShared: (site: string) => boolean,
): Comparison {
  const [site, otherSite] = [ownSite(one, isShared), ownSite(other, isShared)]
  const hasSameSite = site !== null && site === otherSite
  const equal = [hasSameSite, isEqual(one.country, other.country), isEqual(one.city, other.city)]
  const isExact = isSameEvidence(one, other)
  return {
    relation: hasSameSite ? 'same' : relationOf(one, other, site, otherSite),
    equal: equal.filter(Boolean).length,
    isExact,
  }
}

/** Whether both know the same, and nothing else. */
export const isSameEvidence = (one: Evidence, other: Evidence): boolean =>
  one.spelling === other.spelling &&
  one.site === other.site &&
  one.country === other.country &&
  one.city === other.city

/** A text that is the same for the same evidence about one name. */
export const evidenceKey = ({ spelling, site, country, city }: Evidence): string =>
  JSON.stringify([spelling, site, country, city])

type KnownSite = Pick<Evidence, 'site' | 'isPage'>

/** Whether a website replaces another one: a page on a shared host does not replace a company's own website. */
export const replacesSite = (next: KnownSite, current: KnownSite): boolean =>
  next.site !== null && (!next.isPage || current.isPage || current.site === null)

/** The evidence of a company after rows with other evidence have been stored. */
export function updatedEvidence(stored: Evidence, rows: Evidence): Evidence {
  const { site, isPage } = replacesSite(rows, stored) ? rows : stored
  return {
    ...{ name: stored.name, spelling: stored.spelling, site, isPage },
    country: rows.country ?? stored.country,
    city: rows.city ?? stored.city,
  }
}

function relationOf(
  one: Evidence,
  other: Evidence,
  site: string | null,
  otherSite: string | null,
): 'compatible' | 'conflict' | 'different' {
  if (isOther(one.country, other.country)) return 'different'
  const hasOtherSite = isOther(site, otherSite) && !one.isPage && !other.isPage
  const isContradicted = hasOtherSite || isOther(one.city, other.city) || one.spelling !== other.spelling
  return isContradicted ? 'conflict' : 'compatible'
}

const ownSite = ({ site }: Evidence, isShared: (site: string) => boolean): string | null =>
  site === null || isShared(site) ? null : site

const isEqual = (one: string | null, other: string | null): boolean => one !== null && one === other
const isOther = (one: string | null, other: string | null): boolean =>
  one !== null && other !== null && one !== other

/** A copy of a text, so that the block of the file that contains it can be freed. */
export const ownCopy = (text: string): string => Buffer.from(text).toString()

/** A copy of evidence, so that the blocks of the file can be freed. */
export const copyOf = ({ name, spelling, site, isPage, country, city }: Evidence): Evidence => ({
  name: ownCopy(name),
  spelling: ownCopy(spelling),
  site: site === null ? null : ownCopy(site),
  isPage,
  country,
  city: city === null ? null : ownCopy(city),
})
