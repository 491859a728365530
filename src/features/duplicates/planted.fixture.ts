import { createRandom, type Random } from '#src/cli/demo/random.ts'
import type { NewCompany } from '#src/features/companies/schema.ts'

const ONSETS = 'b br c ch cl d dr f fl g gr h j k kl l m n p pl pr qu r s sk sl st t tr v w z'.split(' ')
const VOWELS = 'a e i o u ai ea io'.split(' ')
const CODAS = ['', '', 'n', 'r', 'l', 's', 'x', 'm', 'nd', 'rk']
const TRADES = (
  'Robotics Software Systems Technologies Logistics Capital Foods Energy Health Medical Pharma Analytics Mobility ' +
  'Materials Optics Plastics Packaging Textiles Machinery Engineering Consulting Media Games Studios Networks ' +
  'Security Insurance Finance Payments Education Learning Travel Hotels Furniture Ceramics Chemicals Solar Wind ' +
  'Batteries Semiconductors Sensors Drones Aerospace Marine Railways Construction Architecture Farms Dairies Seeds ' +
  'Diagnostics Biotech Genomics Dental Fitness Fashion Cosmetics Water Recycling'
).split(' ')
const COUNTRIES = [
  { code: 'DE', name: 'Germany', forms: ['GmbH', 'AG', 'GmbH & Co. KG'], domain: 'de' },
  { code: 'FR', name: 'France', forms: ['SAS', 'S.A.', 'SARL'], domain: 'fr' },
  { code: 'GB', name: 'United Kingdom', forms: ['Ltd', 'Limited', 'PLC'], domain: 'co.uk' },
  { code: 'NL', name: 'Netherlands', forms: ['B.V.', 'N.V.', 'BV'], domain: 'nl' },
  { code: 'SE', name: 'Sweden', forms: ['AB', 'Aktiebolag', 'AB (publ)'], domain: 'se' },
  { code: 'ES', name: 'Spain', forms: ['S.L.', 'SA', 'S.L.U.'], domain: 'es' },
  { code: 'PL', name: 'Poland', forms: ['sp. z o.o.', 'S.A.', 'Sp. z o. o.'], domain: 'pl' },
  { code: 'US', name: 'United States', forms: ['Inc.', 'LLC', 'Corp.'], domain: 'com' },
  { code: 'IT', name: 'Italy', forms: ['S.r.l.', 'S.p.A.', 'Srl'], domain: 'it' },
  { code: 'FI', name: 'Finland', forms: ['Oy', 'Oyj', 'OY AB'], domain: 'fi' },
] as const

interface Invented {
  brand: string
  core: string
  country: (typeof COUNTRIES)[number]
  company: NewCompany
}

export interface Planted {
  companies: NewCompany[]
  /** The kind of each planted duplicate, by the indexes of its two companies, the lower one first: `1 27`. */
  kinds: Map<string, Kind>
}

export const KINDS = ['legal form', 'domain', 'typo', 'country'] as const
export type Kind = (typeof KINDS)[number]

/**
 * Invented companies, some of which are duplicates. Others are only alike: they share a brand with a company in another
 * trade, have the name of one in another country, a page on a shared host, or a number in the name.
 */
export function plantDuplicates(total: number, duplicates: number, seed = 1): Planted {
  const random = createRandom(seed)
  const originals: Invented[] = []
  const taken = new Set<string>()
  while (originals.length < total - duplicates) {
    const invented = invent(random, originals)
    const key = `${invented.core} ${invented.country.code}`
    if (!taken.has(key)) originals.push(invented)
    taken.add(key)
  }
  const names = new Map<string, number>()
  for (const { core } of originals) names.set(core, (names.get(core) ?? 0) + 1)
  const companies = originals.map(({ company }) => company)
  const kinds = new Map<string, Kind>()
  for (let n = 0; n < duplicates; n++) {
    const kind = KINDS[n % KINDS.length] as Kind
    // Nobody could tell which of several companies one without a country is.
    const isClear = ({ core }: Invented) => kind !== 'country' || names.get(core) === 1
    let index = Math.floor((n * originals.length) / duplicates)
    while (!isClear(originals[index] as Invented)) index += 1
    kinds.set(`${index} ${companies.length}`, kind)
    companies.push(duplicateOf(originals[index] as Invented, kind, random))
  }
  return { companies, kinds }
}

function invent(random: Random, others: readonly Invented[]): Invented {
  const other = others.length > 0 && random() < 0.1 ? random(others) : undefined
  const isElsewhere = other !== undefined && random() < 0.5
  const country = random(COUNTRIES.filter(({ code }) => !isElsewhere || code !== other.country.code))
  const brand = other?.brand ?? inventBrand(random)
  const core = isElsewhere ? other.core : inventCore(brand, random(TRADES), random, other !== undefined)
  const name = random() < 0.8 ? `${core} ${random(country.forms)}` : core
  const company = {
    name,
    country: country.name,
    country_code: country.code,
    website: website(core, country, others, random),
  }
  return { brand, core, country, company }
}

function inventCore(brand: string, trade: string, random: Random, isShared: boolean): string {
  const style = random()
  if (style < 0.15 && !isShared && brand.length >= 6) return brand
  if (style < 0.25) return `${brand} ${trade} ${2 + Math.floor(random() * 40)}`
  if (style < 0.35) return `${brand} & ${inventBrand(random)}`
  return `${brand} ${trade}`
}

function inventBrand(random: Random): string {
  const syllable = () => random(ONSETS) + random(VOWELS) + random(CODAS)
  const brand = syllable() + syllable() + (random() < 0.3 ? syllable() : '')
  return brand.charAt(0).toUpperCase() + brand.slice(1)
}

function website(core: string, { domain }: Invented['country'], others: readonly Invented[], random: Random) {
  const words = core.toLowerCase().replace(/[^a-z0-9]+/g, '-')
  const choice = random()
  if (choice < 0.3) return null
  if (choice < 0.35) return `https://www.linkedin.com/company/${words}-${others.length}`
  if (choice < 0.4) return `https://${words}-${others.length}.github.io`
  return `https://www.${words}${random() < 0.5 ? '' : `-${others.length}`}.${domain}`
}

function duplicateOf({ core, brand, country, company }: Invented, kind: Kind, random: Random): NewCompany {
  const { name: country_name, code } = country
  const alone = { country: country_name, country_code: code, website: null }
  switch (kind) {
    case 'legal form': {
      const names = [core, core.toUpperCase(), ...country.forms.map((form) => `${core} ${form}`)]
      return { ...alone, name: random(names.filter((name) => name !== company.name)) }
    }
    case 'domain': {
      const site = `https://${brand.toLowerCase()}-${Math.floor(random() * 1e9)}.${country.domain}`
      company.website = `${site}/about`
      return {
        ...alone,
        name: `${brand} ${random(['Group', 'International', 'Holding', 'Europe'])}`,
        website: site.replace('//', '//shop.'),
      }
    }
    case 'typo':
      return {
        ...alone,
        name: random([typo(core, random), `${typo(core, random)} ${random(country.forms)}`]),
      }
    case 'country':
      return { name: company.name, country: null, country_code: null, website: null }
  }
}

/** Drops, replaces, inserts or swaps letters of a name, but no digits. */
function typo(name: string, random: Random): string {
  for (;;) {
    const at = Math.floor(random() * (name.length - 1))
    const [before, letter, next, after] = [
      name.slice(0, at),
      name[at] ?? '',
      name[at + 1] ?? '',
      name.slice(at + 2),
    ]
    if (!/[a-z]/i.test(letter) || !/[a-z]/i.test(next) || letter.toLowerCase() === next.toLowerCase())
      continue
    const other = random('abcdefghijklmnopqrstuvwxyz'.replace(letter.toLowerCase(), '').split(''))
    return random([
      `${before}${next}${after}`,
      `${before}${other}${next}${after}`,
      `${before}${letter}${other}${next}${after}`,
      `${before}${next}${letter}${after}`,
    ])
  }
}
