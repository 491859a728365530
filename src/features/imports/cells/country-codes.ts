import { countryCodeOf } from '#src/platform/schema/countries.ts'
import { normalizeName } from '#src/platform/schema/normalize-text.ts'

const names = (code: string, text: string): Record<string, string> =>
  Object.fromEntries(text.split(', ').map((name) => [name, code]))

/** Common names that the list of all languages does not have, in lower case. */
const ALIASES: Readonly<Record<string, string>> = {
  ...names(
    'GB',
    'england, scotland, wales, northern ireland, u.k., grossbritannien, großbritannien und nordirland, uk (england)',
  ),
  ...names(
    'GB',
    'great britain and northern ireland, angleterre, inglaterra, inghilterra, engeland, anglia, schottland',
  ),
  ...names(
    'US',
    'états-unis, etats-unis, etats unis, états unis, eua, ee.uu., ee. uu., eeuu, stati uniti, vs, vereinigte staaten von amerika',
  ),
  ...names(
    'US',
    "united states (usa), united states (us), états-unis d'amérique, estados unidos da américa, america, сша, u.s.a",
  ),
  ...names('US', 'stany zjednoczone, the us, the usa, the u.s.'),
  ...names(
    'KR',
    'korea, korea south, korea, south korea, corée du sud, corea del sur, coréia do sul, südkorea',
  ),
  ...names('IE', 'republic of ireland, rep. of ireland, ireland (republic)'),
  ...names('BA', 'bosnia, bosnia-herzegovina, bosnien'),
  ...names('CN', 'mainland china, prc, pr china, p.r. china'),
  ...names('DE', 'brd, bundesrepublik deutschland, alemanha'),
  ...names('NL', 'holland, the netherlands, países baixos, olanda, holandia'),
  ...names('AE', 'u.a.e., vae, emirates'),
  ...names('CZ', 'czech rep., czech rep, tschechien, tchéquie'),
  ...names('VA', 'vatican'),
  ...names('SA', 'ksa'),
  ...names('GR', 'el'),
  ...names('HK', 'hong kong sar, hongkong'),
}

/** Longer texts are no countries. */
const MAX_COUNTRY_LENGTH = 200
/** A file repeats few countries in many rows. */
const MAX_CACHED = 2000
const cache = new Map<string, string | undefined>()

/** The ISO 3166-1 alpha-2 code for a country's code or name in any language; parts of the United Kingdom are GB. */
export function countryCode(text: string): string | undefined {
  if (text.length > MAX_COUNTRY_LENGTH) return undefined
  if (cache.has(text)) return cache.get(text)
  if (cache.size >= MAX_CACHED) cache.clear()
  const code = lookUp(normalizeName(text).trim())
  cache.set(text, code)
  return code
}

function lookUp(text: string): string | undefined {
  const name = text.toLowerCase()
  if (Object.hasOwn(ALIASES, name)) return ALIASES[name]
  // "Germany (DE)" and "DE - Germany" name a country and its code.
  const [, before, after] = /^(.+?)\s*(?:\(\s*([^()]+)\)|\s[-–:|]\s+(.+))$/.exec(text)?.slice(0, 4) ?? []
  const code = countryCodeOf(text)
  if (code || !before || !after) return code
  const other = countryCodeOf(after.trim())
  return countryCodeOf(before.trim()) === other ? other : undefined
}
