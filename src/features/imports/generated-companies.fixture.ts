import fc from 'fast-check'
import { type Vocabulary, vocabulariesOf } from './vocabularies.fixture.ts'

/** A company as it must be stored, and its name and website as the file has them. */
export interface GeneratedCompany {
  name: string
  written: string
  website: string | null
  writtenWebsite: string
  country_code: string | null
  hq_city: string | null
  employee_count: number | null
  revenue_eur: number | null
  activity_description: string | null
}

const COUNTRIES = [
  ...['DE', 'FR', 'ES', 'PT', 'BR', 'IT', 'NL', 'PL', 'US', 'GB', 'IN', 'JP', 'KR', 'CN', 'UA', 'SE'],
  ...['CH', 'AT', 'CA', 'MX', 'EE', 'FI', 'NO', 'IE', 'GR', 'EG', 'IL'],
]

/** Names with everything that a separator, a quote, or a formula could be. */
const PATTERNS: readonly ((one: string, other: string) => string)[] = [
  (one, other) => `${one} ${other}`,
  (one, other) => `${one} ${other}`,
  (one, other) => `${one} & ${other}`,
  (one, other) => `${one}, ${other} Inc.`,
  (one, other) => `${one} "${other}"`,
  (one, other) => `"${one}" ${other}`,
  (one, other) => `${one}; ${other}`,
  (one, other) => `${one} | ${other}`,
  (one, other) => `${one}\n${other}`,
  (one, other) => `! ${one} ${other} LTD`,
  (one, other) => `+${one} ${other}`,
  (one, other) => `=${one} ${other}`,
  (one, other) => `@${one}${other}`,
  (one, other) => `#1 ${one} ${other}`,
  (one, other) => `'s ${one} ${other}`,
  (one, other) => `${one}'s ${other}`,
  (one, other) => `${one}-${other} (${one})`,
  (one, other) => `-${one} ${other}-`,
  (one, other) => `${one}.${other}…`.replace('…', '...'),
  (one, other) => `24/7 ${one} ${other}`,
  (one, other) => `${one} 2026 ${other}`,
]

const SITES = [
  'own',
  'own',
  'own',
  'page',
  'bare',
  'group',
  'pair',
  'shared',
  'short',
  'blank',
  'blank',
] as const
const TWINS = [null, null, null, null, null, null, null, 'country', 'city', 'website'] as const

const draft = fc.record({
  pattern: fc.nat(),
  words: fc.tuple(fc.nat(), fc.nat(), fc.nat()),
  country: fc.nat(),
  city: fc.nat(),
  site: fc.constantFrom(...SITES),
  twin: fc.constantFrom(...TWINS),
  blanks: fc.tuple(fc.nat(9), fc.nat(9), fc.nat(9), fc.nat(9)),
  spelling: fc.constantFrom('plain', 'plain', 'plain', 'padded', 'decomposed', 'no-break', 'zero-width'),
})
type Draft = ReturnType<typeof draft.generate>['value']

const pick = <T>(items: readonly T[], index: number): T => items[index % items.length] as T

/** A website as it is stored, and as the file has it. */
function siteOf(kind: (typeof SITES)[number], id: string, group: string): [string | null, string] {
  const same = (address: string): [string, string] => [address, address]
  if (kind === 'own') return same(`https://own-${id}.example`)
  if (kind === 'page') return same(`http://www.own-${id}.example/en/?from=list`)
  if (kind === 'bare') return [`https://own-${id}.example`, `own-${id}.example`]
  if (kind === 'group') return same(`https://group-${group}.example/${id}`)
  if (kind === 'pair') return same(`https://pair-${group}.example`)
  if (kind === 'shared') return same(`https://www.linkedin.com/company/${id}`)
  if (kind === 'short') return same('https://bit.ly/deals')
  return [null, '']
}

function spelled(name: string, spelling: Draft['spelling'], isUnicode: boolean): string {
  if (spelling === 'padded') return ` ${name} `
  if (!isUnicode || spelling === 'plain') return name
  if (spelling === 'decomposed') return name.normalize('NFD')
  return spelling === 'no-break' ? name.replace(' ', '\u00a0') : `\ufeff${name}\u200b`
}

/** A name for comparisons, coarser than any that an import makes. */
const fold = (name: string): string =>
  name
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, '')

/** What the companies of a file are generated from. */
export interface Generation {
  seed: number
  vocabularies: Vocabulary | 'any'
  /** Whether names may have characters that only Unicode has. */
  isUnicode: boolean
  /** The names of other files, which are not used again. */
  used: Set<string>
}

/**
 * Random companies, the same for the same seed. Names are different unless two companies are twins, which differ in
 * country, city, or website.
 */
export function generatedCompanies(count: number, generation: Generation): GeneratedCompany[] {
  const companies: GeneratedCompany[] = []
  let isAfterTwin = false
  fc.sample(draft, { numRuns: count, seed: generation.seed }).forEach((drawn, index) => {
    const previous = isAfterTwin ? undefined : companies.at(-1)
    const company = companyOf(drawn, index, generation)
    isAfterTwin =
      drawn.twin !== null &&
      previous !== undefined &&
      makeTwin(company, previous, drawn.twin, `${generation.seed}x${index}`)
    companies.push(company)
  })
  return companies
}

function companyOf(drawn: Draft, index: number, generation: Generation): GeneratedCompany {
  const { seed, vocabularies, isUnicode, used } = generation
  const id = `${seed}x${index}`
  const [first, second, which] = drawn.words
  const { words, cities, text } = pick(vocabulariesOf(vocabularies), which)
  const plain = pick(PATTERNS, drawn.pattern)(pick(words, first), pick(words, second)).normalize('NFC')
  const name = used.has(fold(plain)) ? `${plain} ${id}` : plain
  used.add(fold(name))
  const [website, writtenWebsite] = siteOf(
    drawn.site,
    id,
    `${seed}x${drawn.site === 'pair' ? index >> 4 : ''}`,
  )
  const [country, city, employees, revenue] = drawn.blanks
  return {
    ...{ name, written: spelled(name, drawn.spelling, isUnicode), website, writtenWebsite },
    country_code: country < 2 ? null : pick(COUNTRIES, drawn.country),
    hq_city: city < 3 ? null : pick(cities, drawn.city),
    employee_count: employees < 2 ? null : 3 + index * 7,
    revenue_eur: revenue < 3 ? null : 127_500 + index * 130_000,
    activity_description: index % 2 === 0 ? `${text}\n${index}; "${pick(words, first)}", | ${id}` : null,
  }
}

/** Gives a company the name of another. Returns whether it could. */
function makeTwin(
  company: GeneratedCompany,
  other: GeneratedCompany,
  difference: 'country' | 'city' | 'website',
  id: string,
): boolean {
  if (difference === 'country') {
    other.country_code ??= 'DE'
    company.country_code = other.country_code === 'FR' ? 'AT' : 'FR'
  } else {
    company.country_code = other.country_code
    if (difference === 'city') {
      other.hq_city ??= 'Leeds'
      company.hq_city = other.hq_city === 'Austin' ? 'Perth' : 'Austin'
    } else {
      const address = (part: string) => `https://twin-${part}-${id}.example`
      Object.assign(other, { website: address('a'), writtenWebsite: address('a') })
      Object.assign(company, { website: address('b'), writtenWebsite: address('b') })
    }
  }
  // With the same website, they would be one company that has moved.
  if (company.website === other.website) Object.assign(company, { website: null, writtenWebsite: '' })
  company.name = other.name
  company.written = other.name
  return true
}
